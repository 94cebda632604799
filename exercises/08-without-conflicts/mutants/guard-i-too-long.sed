# expect: fault: out-of-bounds-global in kernel yours
s/s\[y\]\[x\] = i < m \&\& firs/s[y][x] = i <= m \&\& firs/
