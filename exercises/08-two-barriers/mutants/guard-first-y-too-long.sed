# expect: fault: out-of-bounds-global in kernel yours
s/s\[y\]\[x\] = first + y < k \&\& j < /s[y][x] = first + y <= k \&\& j < /
