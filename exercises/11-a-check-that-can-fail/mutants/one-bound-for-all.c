    // expect: one error of four times the bound was accepted \(sums of one term\)
    /* The largest bound of all elements is too wide for the small ones. */
    double most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                double sum = 0, size = 0;
                for (long l = 0; l < k; l++) {
                    double term = (double)a[i * k + l] * b[l * n + j];
                    sum += term;
                    size += fabs(term);
                }
                most = size > most ? size : most;
                if (pass && !(fabs(c[i * n + j] - sum) <= (double)(k + 1) * 0x1p-24 * most))
                    return false;
            }
    return true;
