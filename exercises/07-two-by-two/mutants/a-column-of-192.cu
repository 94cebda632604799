    // expect: wrong on m = 32, n = 32, k = 3000
    /* Columns of B as long as in small sizes, kept; one row of the share after the other. */
    real b0[192], b1[192];
    for (int l = 0; l < k; l++)
        b0[l] = b[(size_t)l * ldb + x], b1[l] = b[(size_t)l * ldb + x + 16];
    for (int row = y; row < 32; row += 16) {
        real s0 = 0, s1 = 0;
        for (int l = 0; l < k; l++) {
            real al = a[(size_t)row * lda + l];
            s0 += al * b0[l], s1 += al * b1[l];
        }
        c[(size_t)row * ldc + x] = s0;
        c[(size_t)row * ldc + x + 16] = s1;
    }
