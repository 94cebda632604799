    // expect: elements wrong; first C\[
    /* Right for matrices of ones, and for nothing else. */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = p->k * a[i * p->lda] * b[j];
