# expect: elements wrong; first C\[.*quadrant C11
s/p->a, lda,$/p->a, k,/
