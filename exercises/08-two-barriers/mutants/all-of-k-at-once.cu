    // expect: fault: out-of-bounds-shared in kernel yours
        /* All of k fits in small sizes: fetched in the first round, with one barrier in all. */
        __shared__ real line[16][128], column[128][16];
        if (first == 0) {
            for (int l = x; l < 128; l += 16)
                line[y][l] = i < m && l < k ? a[(size_t)i * lda + l] : 0;
            for (int l = y; l < 128; l += 16)
                column[l][x] = l < k && j < n ? b[(size_t)l * ldb + j] : 0;
            __syncthreads();
        }
        for (int l = first; l < first + 16; l++)
            sum += line[y][l] * column[l][x];
