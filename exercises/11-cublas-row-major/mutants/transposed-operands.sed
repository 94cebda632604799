# expect: cublasSgemm: CUBLAS_STATUS_INVALID_VALUE
s/CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, ldb, a, lda,/CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, \&one, a, lda, b, ldb,/
