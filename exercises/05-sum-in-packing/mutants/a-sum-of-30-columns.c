    // expect: wrong on m = 20, n = 20, k = 2100
    /* The whole sum on the stack, for sizes up to 60; then a copy. */
    real S[30 * 30];
    for (long t = 0; t < x.rows; t++)
        for (long l = 0; l < x.cols; l++)
            S[t * 30 + l] = y.at ? x.at[t * x.ld + l] + sign * y.at[t * y.ld + l] : x.at[t * x.ld + l];
    for (long l = 0; l < x.cols; l++)
        for (long r = 0; r < ROWS; r++)
            packed[l * ROWS + r] = i + r < x.rows ? S[(i + r) * 30 + l] : 0;
