    // expect: elements wrong; first C\[
    for (long first = 0; first < p->k; first += BLOCK)
        for (long left = 0; left < p->n; left += BLOCK) {
            long rows = smaller(BLOCK, p->k - first), cols = smaller(BLOCK, p->n - left);
            for (long l = 0; l < rows; l++)
                for (long j = 0; j < cols; j++)
                    workspace[l * cols + j] = element_of_b(p, first + l, left + j);
            for (long i = 0; i < p->m; i++) {
                for (long j = 0; j < cols; j++)
                    c[i * p->ldc + left + j] = 0; /* and with it what earlier blocks gave */
                for (long l = 0; l < rows; l++)
                    for (long j = 0; j < cols; j++)
                        c[i * p->ldc + left + j] +=
                            a[i * p->lda + first + l] * workspace[l * cols + j];
            }
        }
