# expect: elements wrong; first C\[[0-9]+\]\[0\] \(quadrant C21
s/= v2 - c21/= v2 + c21/
