# expect: elements wrong; first C\[.*quadrant C11
s/product(A.q22, T1, T2); .*/product(A.q22, T1, T1);/
s/plus(C.q21, T2, C.q21), plus(C.q11, T2, C.q11)/plus(C.q21, T1, C.q21), plus(C.q11, T1, C.q11)/
