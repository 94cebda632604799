# expect: elements wrong; first C\[.*quadrant C11
s/bs\[x\]\[y\]/bs[y][x]/
