    // expect: elements wrong; first C\[.*quadrant C11
    /* Right for matrices of ones, and for nothing else. */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            p->c[i * p->ldc + j] = p->k * p->a[i * p->lda] * p->b[j];
