# expect: It is to be written without for
s/status = cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, ldb, a, lda,/for (int i = 0; i < m; i++) status = cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, 1, k, \&one, b, ldb, a + (size_t)i * lda, lda,/
s/&zero, c, ldc)/\&zero, c + (size_t)i * ldc, ldc)/
