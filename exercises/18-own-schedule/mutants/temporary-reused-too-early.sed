# expect: elements wrong; first C\[.*quadrant C11
s/mul(A.q11, B.q11, T1), add(C.q11, T1, C.q11);/mul(A.q11, B.q11, T1), add(C.q11, T1, C.q11), add(A.q11, A.q12, T1);/
