# expect: elements wrong; first C\[
s/as\[y\]\[x\] = i < m/as[y][x] = first + 16 <= k \&\& i < m/
