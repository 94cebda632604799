# expect: elements wrong; first C\[.*quadrant C11
s/multiply(A.q22, T1, T2, rest, workspace)/multiply(A.q22, T1, T2, rest, T1.at)/
s/multiply(C.q12, C.q21, T1, rest, workspace)/multiply(C.q12, C.q21, T1, rest, T1.at)/
