# expect: cublasSgemm: CUBLAS_STATUS_INVALID_VALUE
s/n, m, k, &one, b, ldb, a, lda,/m, n, k, \&one, a, lda, b, ldb,/
