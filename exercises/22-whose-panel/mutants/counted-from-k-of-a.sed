# expect: asks A's owner in column 1
s/from - cut(me->k, ACROSS, column)/from/
