    // expect: each load of a half-warp takes 16.0 transactions: neighbouring threads read down a column
    real sum00 = 0, sum01 = 0, sum10 = 0, sum11 = 0;
    for (int l = 0; l < k; l++) {
        real a0 = a[(size_t)x * lda + l], a1 = a[(size_t)(x + 16) * lda + l];
        real b0 = b[(size_t)l * ldb + y], b1 = b[(size_t)l * ldb + y + 16];
        sum00 += a0 * b0;
        sum01 += a0 * b1;
        sum10 += a1 * b0;
        sum11 += a1 * b1;
    }
    c[(size_t)x * ldc + y] = sum00;
    c[(size_t)x * ldc + y + 16] = sum01;
    c[(size_t)(x + 16) * ldc + y] = sum10;
    c[(size_t)(x + 16) * ldc + y + 16] = sum11;
