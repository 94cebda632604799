# expect: fault: |cublasSgemm: |elements wrong; first C\[
s/n, m, k, &one, p->b, ldb, p->a, lda,/m, n, k, \&one, p->a, lda, p->b, ldb,/
