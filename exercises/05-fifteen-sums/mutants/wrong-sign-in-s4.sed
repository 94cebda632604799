# expect: elements wrong; first C\[0\]\[[0-9]+\] \(quadrant C12
s/minus(A.q12, S\[2\], S\[4\])/plus(A.q12, S[2], S[4])/
