# expect: asks A.s owner in column 0
s/while (cut(me->k, ACROSS, column + 1) <= from)/while (0)/
s/to = end_a < end_b ? end_a : end_b/to = end_b/
