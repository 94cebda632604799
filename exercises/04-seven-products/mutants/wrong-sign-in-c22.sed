# expect: elements wrong; first C\[[0-9]+\]\[[0-9]+\] \(quadrant C22
s/minus(C.q22, M, C.q22)/plus(C.q22, M, C.q22)/
