    // expect: right, but [0-9]+ transactions where [0-9]+ are possible
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n)
        return;
    volatile real *sum = c + (size_t)i * ldc + j;
    *sum = 0;
    for (int l = 0; l < k; l++)
        *sum = *sum + a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
