    /* i, j, l as before, but 16 columns of C at a time in registers. */
    for (long i = 0; i < p->m; i++) {
        long j = 0;
        for (; j + 16 <= p->n; j += 16) {
            real sum[16] = {0};
            for (long l = 0; l < p->k; l++)
                for (int s = 0; s < 16; s++)
                    sum[s] += a[i * p->lda + l] * b[l * p->ldb + j + s];
            for (int s = 0; s < 16; s++)
                c[i * p->ldc + j + s] = sum[s];
        }
        for (; j < p->n; j++) {
            real sum = 0;
            for (long l = 0; l < p->k; l++)
                sum += a[i * p->lda + l] * b[l * p->ldb + j];
            c[i * p->ldc + j] = sum;
        }
    }
