# expect: got -?nan
s/c\[i \* p->ldc + j\] = 0;/;/
