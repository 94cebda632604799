# expect: elements wrong; first C\[0\]\[0\] \(quadrant C11
s/plus(C.q22, M, C.q22);$/plus(C.q11, M, C.q11);/
