    // expect: right, but [0-9.]+ ms where [0-9.]+ are possible
    /* Reads B once without packing, and walks down the columns of A and C for it. */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
    for (long l = 0; l < p->k; l++)
        for (long j = 0; j < p->n; j++) {
            real b = element_of_b(p, l, j);
            for (long i = 0; i < p->m; i++)
                c[i * p->ldc + j] += a[i * p->lda + l] * b;
        }
