# expect: wrong; first C\[.*quadrant C
s,b\[l \* p->ldb + j\],b[j * p->ldb + l],
