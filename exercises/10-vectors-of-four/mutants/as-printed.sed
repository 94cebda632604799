# expect: fault: misaligned in kernel yours
s/to\[0\] = upper.x, .*/*(real4 *)to = upper;/
s/to\[32\] = lower.x, .*/*(real4 *)(to + 32) = lower;/
