# expect: elements wrong; first C\[.*quadrant C11
s/a\[i \* p->lda + first + l\]/a[i * p->lda + l]/
