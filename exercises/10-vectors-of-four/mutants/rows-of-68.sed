# expect: right, but [0-9.]+ conflict where 1 are possible
s/ROW = 65/ROW = 68/
s/to\[0\] = upper.x, .*/*(real4 *)to = upper;/
s/to\[32\] = lower.x, .*/*(real4 *)(to + 32) = lower;/
