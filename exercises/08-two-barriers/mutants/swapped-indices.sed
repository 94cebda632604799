# expect: elements wrong; first C\[.*quadrant C11
s/as\[y\]\[l\] \* bs\[l\]\[x\]/as[l][y] * bs[l][x]/
