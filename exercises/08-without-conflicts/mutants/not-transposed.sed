# expect: elements wrong; first C\[
s/bs\[x\]\[y\]/bs[y][x]/
