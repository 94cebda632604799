# expect: asks A's owner in column 0
s/to = end_a < end_b ? end_a : end_b/to = end_b/
