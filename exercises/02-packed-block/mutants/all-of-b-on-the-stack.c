    // expect: room of its own
    real all[p->k * p->n];
    for (long l = 0; l < p->k; l++)
        for (long j = 0; j < p->n; j++)
            all[l * p->n + j] = element_of_b(p, l, j);
    for (long i = 0; i < p->m; i++) {
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                c[i * p->ldc + j] += a[i * p->lda + l] * all[l * p->n + j];
    }
