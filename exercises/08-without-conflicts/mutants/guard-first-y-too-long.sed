# expect: fault: out-of-bounds-global in kernel yours
s/s\[x\]\[y\] = first + y < k \&\& j < /s[x][y] = first + y <= k \&\& j < /
