# expect: wrong; first C\[.*quadrant C
s,p->b\[l \* p->ldb + j\],p->b[j * p->ldb + l],
