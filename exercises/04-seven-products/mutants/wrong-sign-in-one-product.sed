# expect: elements wrong; first C\[.*quadrant C12
s/minus(B.q12, B.q22, T)/plus(B.q12, B.q22, T)/
