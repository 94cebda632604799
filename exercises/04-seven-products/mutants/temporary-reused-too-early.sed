# expect: elements wrong; first C\[.*quadrant C22
s/minus(A.q21, A.q11, S), plus(B.q11, B.q12, T);/plus(B.q11, B.q12, T);/
