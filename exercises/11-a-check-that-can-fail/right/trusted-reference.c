    /* Against the float product, which is nearer to the exact one than the bound. */
    real *reference = malloc((size_t)(m * n) * sizeof *reference);
    trusted_product(a, b, reference, m, n, k);
    bool right = true;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            float size = 0;
            for (long l = 0; l < k; l++)
                size += fabsf(a[i * k + l] * b[l * n + j]);
            if (!(fabsf(c[i * n + j] - reference[i * n + j]) <= (float)(k + 1) * 0x1p-24f * size))
                right = false;
        }
    free(reference);
    return right;
