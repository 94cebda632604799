    /* Two tiles in turn, so one barrier a round; a thread fetches four neighbouring rows; b is fetched ahead. */
    __shared__ real as[2][16][20];
    int turn = 0;
    for (int first = 0; first < k; first += 16, turn ^= 1) {
        for (int u = 0; u < 4; u++)
            as[turn][4 * y + u][x] = a[(size_t)(4 * y + u) * lda + first + x];
        real bl[16];
        for (int l = 0; l < 16; l++, b += ldb)
            bl[l] = *b;
        __syncthreads();
        for (int i = 15; i >= 0; i--)
            for (int l = 0; l < 16; l++)
                sum[i] = fma(as[turn][i][l], bl[l], sum[i]);
    }
