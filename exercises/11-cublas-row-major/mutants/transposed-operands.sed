# expect: cublasSgemm: CUBLAS_STATUS_INVALID_VALUE
s/CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p->b, ldb, p->a, lda,/CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, \&one, p->a, lda, p->b, ldb,/
