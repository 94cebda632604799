# expect: asks B's owner in row 0
s/while (cut(me->k, DOWN, row + 1) <= from)/while (0)/
s/to = end_a < end_b ? end_a : end_b/to = end_a/
