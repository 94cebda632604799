# expect: fault: misaligned in kernel yours
s/(b + (size_t)l \* ldb))\[j\]/(b + (size_t)l * ldb - 1))[j]/
