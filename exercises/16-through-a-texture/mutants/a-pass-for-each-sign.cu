    // expect: right, but [0-9]+ transactions where [0-9]+ are possible
    /* The positive products first, then the others: every element of A is read twice. */
    for (int l = 0; l < k; l++) {
        real one = a[(size_t)i * lda + l] * tex2D<float>(texture, j, l);
        sum += one > 0 ? one : 0;
    }
    for (int l = 0; l < k; l++) {
        real one = a[(size_t)i * lda + l] * tex2D<float>(texture, j, l);
        sum += one > 0 ? 0 : one;
    }
