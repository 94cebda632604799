# expect: elements wrong; first C\[.*quadrant C21
s/product(T2, B.q22, T1);/product(T2, B.q22, C.q21);/
s/plus(C.q12, T1, C.q12), minus(C.q11, T1, C.q11)/plus(C.q12, C.q21, C.q12), minus(C.q11, C.q21, C.q11)/
