# expect: elements wrong; first C\[[0-9]+\]\[[0-9]+\] \(quadrant C22
s/= v2 + c22/= c21[(size_t)i * ld21 + j] + c22/
