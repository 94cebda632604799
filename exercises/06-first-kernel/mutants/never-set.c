    // expect: first C\[0\]\[0\].*got -?nan
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n)
        return;
    for (int l = 0; l < k; l++)
        c[(size_t)i * ldc + j] += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
