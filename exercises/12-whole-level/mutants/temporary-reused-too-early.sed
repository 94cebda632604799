# expect: elements wrong; first C\[.*quadrant C11
s/sub(B.q21, B.q11, T1);/sub(B.q21, B.q11, T1), sub(B.q12, B.q22, T1);/
