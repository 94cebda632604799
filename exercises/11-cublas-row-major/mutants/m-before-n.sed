# expect: cublasSgemm: CUBLAS_STATUS_INVALID_VALUE
s/n, m, k, &one/m, n, k, \&one/
