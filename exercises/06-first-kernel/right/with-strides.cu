    /* For any grid: each thread goes on where the grid ends. */
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < m; i += gridDim.y * blockDim.y)
        for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x) {
            real sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
            c[(size_t)i * ldc + j] = sum;
        }
