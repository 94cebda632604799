# expect: elements wrong; first C\[.*quadrant C11
s/sub(A.q12, A.q22, C.q12)/add(A.q12, A.q22, C.q12)/
