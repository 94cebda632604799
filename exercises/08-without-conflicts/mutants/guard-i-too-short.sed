# expect: elements wrong; .*The wrong elements are 0
s/s\[y\]\[x\] = i < m \&\& firs/s[y][x] = i < m - 1 \&\& firs/
