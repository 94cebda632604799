# expect: cublasSgemm: CUBLAS_STATUS_INVALID_VALUE
s/n, m, k, &one, p->b, ldb, p->a, lda,/m, n, k, \&one, p->a, lda, p->b, ldb,/
