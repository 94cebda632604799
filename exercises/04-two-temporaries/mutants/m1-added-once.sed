# expect: elements wrong; first C\[.*quadrant C22
s/, plus(T1, C.q22, C.q22);/;/
