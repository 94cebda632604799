# expect: elements wrong; first C\[0\]\[0\] \(quadrant C11
s/minus(A.q12, A.q22, S)/minus(A.q12, A.q21, S)/
