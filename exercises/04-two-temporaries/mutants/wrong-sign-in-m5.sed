# expect: elements wrong; first C\[0\]\[0\] \(quadrant C11
s/minus(C.q11, T1, C.q11)/plus(C.q11, T1, C.q11)/
