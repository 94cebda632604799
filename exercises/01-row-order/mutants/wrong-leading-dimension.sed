# expect: elements wrong; first C\[.*quadrant C11
s/real ail = a\[i \* p->lda + l\]/real ail = a[i * p->k + l]/
