    // expect: right, but 1050000 reads of B where 350000 are possible
    /* The loop over the rows of A stands outside: every block is packed again for each of them. */
    for (long i = 0; i < p->m; i++) {
        for (long j = 0; j < p->n; j++)
            c[i * p->ldc + j] = 0;
        for (long first = 0; first < p->k; first += BLOCK)
            for (long left = 0; left < p->n; left += BLOCK) {
                long rows = smaller(BLOCK, p->k - first), cols = smaller(BLOCK, p->n - left);
                for (long l = 0; l < rows; l++)
                    for (long j = 0; j < cols; j++)
                        workspace[l * cols + j] = element_of_b(p, first + l, left + j);
                for (long l = 0; l < rows; l++)
                    for (long j = 0; j < cols; j++)
                        c[i * p->ldc + left + j] += a[i * p->lda + first + l] * workspace[l * cols + j];
            }
    }
