# expect: elements wrong; first C\[.*quadrant C11
s/as\[y\]\[x\] = i < m/as[y][x] = first + 16 <= k \&\& i < m/
