    /* A block lies in the workspace column by column, and C is set by the first block of a column of blocks. */
    for (long left = 0; left < p->n; left += BLOCK)
        for (long first = 0; first < p->k; first += BLOCK) {
            long rows = smaller(BLOCK, p->k - first), cols = smaller(BLOCK, p->n - left);
            for (long j = 0; j < cols; j++)
                for (long l = 0; l < rows; l++)
                    workspace[j * rows + l] = element_of_b(p, first + l, left + j);
            for (long i = 0; i < p->m; i++)
                for (long j = 0; j < cols; j++) {
                    const real *row = &a[i * p->lda + first], *column = &workspace[j * rows];
                    real sums[8] = {0};
                    long l = 0;
                    for (; l + 8 <= rows; l += 8)
                        for (int s = 0; s < 8; s++)
                            sums[s] += row[l + s] * column[l + s];
                    for (; l < rows; l++)
                        sums[0] += row[l] * column[l];
                    real sum = 0;
                    for (int s = 0; s < 8; s++)
                        sum += sums[s];
                    real *to = &c[i * p->ldc + left + j];
                    *to = first ? *to + sum : sum;
                }
        }
