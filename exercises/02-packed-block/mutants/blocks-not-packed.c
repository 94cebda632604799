    // expect: right, but 1050000 reads of B where 350000 are possible
    /* Each block is copied, and then not used. */
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
    for (long first = 0; first < p->k; first += BLOCK)
        for (long left = 0; left < p->n; left += BLOCK) {
            long rows = smaller(BLOCK, p->k - first), cols = smaller(BLOCK, p->n - left);
            for (long i = 0; i < p->m; i++)
                for (long l = 0; l < rows; l++)
                    for (long j = 0; j < cols; j++)
                        c[i * p->ldc + left + j] +=
                            a[i * p->lda + first + l] * element_of_b(p, first + l, left + j);
        }
