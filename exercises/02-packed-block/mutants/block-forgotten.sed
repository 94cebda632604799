# expect: elements wrong; first C\[
s/a\[i \* p->lda + first + l\]/a[i * p->lda + l]/
