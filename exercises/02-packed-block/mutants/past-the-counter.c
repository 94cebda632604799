    // expect: The program crashed
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++) {
            c[i * p->ldc + j] = 0;
            for (long l = 0; l < p->k; l++)
                c[i * p->ldc + j] += a[i * p->lda + l] * ((const real *)p->b)[l * p->ldb + j];
        }
