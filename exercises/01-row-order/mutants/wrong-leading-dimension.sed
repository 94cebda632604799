# expect: wrong; first C\[
s/real a = p->a\[i \* p->lda + l\]/real a = p->a[i * p->k + l]/
