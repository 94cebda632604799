# expect: elements wrong; first C\[[0-9]+\]\[0\] \(quadrant C21
s/minus(M\[1\], M\[7\], C.q21)/plus(M[1], M[7], C.q21)/
