# expect: elements wrong; first C\[.*quadrant C11
s/p->a\[i \* p->lda + first + l\]/p->a[i * p->lda + l]/
