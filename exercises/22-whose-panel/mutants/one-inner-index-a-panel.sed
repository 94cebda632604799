# expect: right, but .* broadcasts where
s/to = end_a < end_b ? end_a : end_b/to = from + 1/
