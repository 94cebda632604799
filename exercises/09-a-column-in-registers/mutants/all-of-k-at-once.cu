    // expect: fault: out-of-bounds-shared in kernel yours
    __shared__ real as[160][17];
    for (int l = x; l < k; l += 16)
        for (int i = y; i < 16; i += 4)
            as[l][i] = a[(size_t)i * lda + l];
    __syncthreads();
    for (int l = 0; l < k; l++) {
        real bl = b[(size_t)l * ldb];
        for (int i = 0; i < 16; i++)
            sum[i] += as[l][i] * bl;
    }
