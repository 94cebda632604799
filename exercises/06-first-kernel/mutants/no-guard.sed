# expect: fault: out-of-bounds-global in kernel yours
s/if (i >= m || j >= n)/if (0)/
