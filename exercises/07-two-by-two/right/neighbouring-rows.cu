    /* Neighbouring rows, columns 16 apart, and the sums in an array. */
    real sum[2][2] = {};
    const real *rows[2] = {a + (size_t)(2 * y) * lda, a + (size_t)(2 * y + 1) * lda};
    for (int l = 0; l < k; ++l, b += ldb)
        for (int r = 0; r < 2; ++r)
            for (int s = 0; s < 2; ++s)
                sum[r][s] += rows[r][l] * b[x + 16 * s];
    for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s)
            c[(size_t)(2 * y + r) * ldc + x + 16 * s] = sum[r][s];
