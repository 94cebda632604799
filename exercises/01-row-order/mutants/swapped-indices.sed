# expect: wrong; first C\[
s,b\[l \* p->ldb + j\],b[j * p->ldb + l],
