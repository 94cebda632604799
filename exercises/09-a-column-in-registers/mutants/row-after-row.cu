    // expect: wrong on m = 16, n = 64, k = 800
    /* No register blocking: the column of B is kept, and one row after another computed. */
    __shared__ real line[160];
    real kept[160];
    for (int l = 0; l < k; l++)
        kept[l] = b[(size_t)l * ldb];
    for (int i = 0; i < 16; i++) {
        for (int l = 16 * y + x; l < k; l += 64)
            line[l] = a[(size_t)i * lda + l];
        __syncthreads();
        for (int l = 0; l < k; l++)
            sum[i] += line[l] * kept[l];
        __syncthreads();
    }
