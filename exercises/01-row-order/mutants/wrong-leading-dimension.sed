# expect: elements wrong; first C\[
s/real ail = a\[i \* p->lda + l\]/real ail = a[i * p->k + l]/
