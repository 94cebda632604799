# expect: got -?nan
s/p->c\[i \* p->ldc + j\] = 0;/;/
