# expect: elements wrong; first C\[.*quadrant C12
s/sub(T1, A.q11, T1), sub(B.q22, T2, T2);/sub(B.q22, T2, T2);/
