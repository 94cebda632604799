    // expect: written outside|crashed|workspace
    /* A row of B is no block: no matter how long it is, the workspace has 4096 elements. */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
    for (long l = 0; l < p->k; l++) {
        for (long j = 0; j < p->n; j++)
            workspace[j] = element_of_b(p, l, j);
        for (long i = 0; i < p->m; i++)
            for (long j = 0; j < p->n; j++)
                c[i * p->ldc + j] += a[i * p->lda + l] * workspace[j];
    }
