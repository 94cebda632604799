# expect: elements wrong; .*The sum ends too soon
s/s\[x\]\[y\] = first + y < k \&\& j < /s[x][y] = first + y < k - 1 \&\& j < /
