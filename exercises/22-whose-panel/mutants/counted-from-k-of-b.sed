# expect: asks B's owner in row 1
s/from - cut(me->k, DOWN, row)/from/
