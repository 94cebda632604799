# expect: elements wrong; first C\[.*quadrant C11
s/a, lda,$/a, k,/
