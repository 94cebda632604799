# expect: elements wrong; first C\[.*quadrant C12
s/sub(B.q12, B.q22, T1)/add(B.q12, B.q22, T1)/
