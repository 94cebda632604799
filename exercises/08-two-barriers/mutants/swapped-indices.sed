# expect: elements wrong; first C\[
s/as\[y\]\[l\] \* bs\[l\]\[x\]/as[l][y] * bs[l][x]/
