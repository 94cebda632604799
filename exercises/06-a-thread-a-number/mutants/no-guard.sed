# expect: fault: out-of-bounds-global in kernel yours
s/if (t < m \* n)/if (1)/
