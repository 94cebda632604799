    // expect: right, but [0-9]+ transactions where [0-9]+ are possible
    /* Two kernels in one: pairs in float, one element after another in double. */
    if (sizeof(real) == 4) {
        float2 sum = {0, 0};
        for (int l = 0; l < k; l++) {
            float al = a[(size_t)i * lda + l];
            float2 bl = ((const float2 *)(b + (size_t)l * ldb))[j];
            sum.x += al * bl.x, sum.y += al * bl.y;
        }
        ((float2 *)(c + (size_t)i * ldc))[j] = sum;
    } else
        for (int s = 2 * j; s < 2 * j + 2; s++) {
            real sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + s];
            c[(size_t)i * ldc + s] = sum;
        }
