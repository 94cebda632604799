# expect: right, but [0-9.]+ passes through the banks where 1 is possible
s/ROW = 65/ROW = 68/
s/to\[0\] = upper.x, .*/*(real4 *)to = upper;/
s/to\[32\] = lower.x, .*/*(real4 *)(to + 32) = lower;/
