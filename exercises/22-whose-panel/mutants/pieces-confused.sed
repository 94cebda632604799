# expect: asks A's owner in column 0
s/long end_a = cut(me->k, ACROSS, /long end_a = cut(me->k, DOWN, /
