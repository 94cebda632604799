# expect: asks B's owner in row 0
s/to = end_a < end_b ? end_a : end_b/to = end_a/
