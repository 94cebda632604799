# expect: elements wrong; .*The sum ends too soon
s/s\[y\]\[x\] = first + y < k \&\& j < /s[y][x] = first + y < k - 1 \&\& j < /
