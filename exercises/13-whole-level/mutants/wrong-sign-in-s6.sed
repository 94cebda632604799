# expect: elements wrong; first C\[.*quadrant C12
s/sub(B.q22, T2, T2);/add(B.q22, T2, T2);/
