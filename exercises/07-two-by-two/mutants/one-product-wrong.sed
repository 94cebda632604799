# expect: elements wrong; first C\[.*quadrant C11
s/sum11 += a1 \* b1/sum11 += a1 * b0/
