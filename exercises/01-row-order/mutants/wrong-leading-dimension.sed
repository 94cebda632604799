# expect: elements wrong; first C\[.*quadrant C11
s/real a = p->a\[i \* p->lda + l\]/real a = p->a[i * p->k + l]/
