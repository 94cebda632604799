    /* Not transposed: in the inner loop all lanes want the same word, which is no conflict. */
    __shared__ real as[16][16];
    for (int first = 0; first < k; first += 16) {
        __syncthreads();
        for (int r = 0; r < 4; r++)
            as[4 * y + r][x] = a[(size_t)(4 * y + r) * lda + first + x];
        __syncthreads();
        for (int l = 0; l < 16; l++, b += ldb) {
            real bl = *b;
            for (int i = 0; i < 16; i++)
                sum[i] += as[i][l] * bl;
        }
    }
