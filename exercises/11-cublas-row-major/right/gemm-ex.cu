    /* The call that names every type. */
    status = cublasGemmEx(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_32F, ldb, a, CUDA_R_32F,
                          lda, &zero, c, CUDA_R_32F, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
