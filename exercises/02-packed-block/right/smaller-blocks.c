    /* Blocks of 32 x 48, and two rows of A at a time. */
    const long tall = 32, wide = 48;
    for (long at = 0; at < p->m * p->n; at++)
        c[at / p->n * p->ldc + at % p->n] = 0;
    for (long left = 0; left < p->n; left += wide)
        for (long first = 0; first < p->k; first += tall) {
            long rows = smaller(tall, p->k - first), cols = smaller(wide, p->n - left);
            real *to = workspace;
            for (long l = first; l < first + rows; l++)
                for (long j = left; j < left + cols; j++)
                    *to++ = element_of_b(p, l, j);
            for (long i = 0; i < p->m; i += 2)
                for (long l = 0; l < rows; l++)
                    for (long r = i; r < smaller(i + 2, p->m); r++)
                        for (long j = 0; j < cols; j++)
                            c[r * p->ldc + left + j] += a[r * p->lda + first + l] * workspace[l * cols + j];
        }
