    // expect: right, but [0-9]+ transactions where [0-9]+ are possible
    for (int l = 0; l < k; l++) {
        real bl = b[(size_t)l * ldb];
        for (int i = 0; i < 16; i++)
            sum[i] += a[(size_t)i * lda + l] * bl;
    }
