# expect: elements wrong; first C\[.*quadrant C21
s/sub(T2, B.q21, T2); /mulAdd(A.q12, B.q21, T1, C.q11), sub(T2, B.q21, T2);/
s/mulAdd(A.q12, B.q21, T1, C.q11);  .*//
