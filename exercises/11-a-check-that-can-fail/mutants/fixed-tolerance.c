    // expect: accepted \(very small numbers\)
    /* Catches NaN and every gross mistake, and knows nothing of the numbers it judges. */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long l = 0; l < k; l++)
                sum += (double)a[i * k + l] * b[l * n + j];
            if (!(fabs(c[i * n + j] - sum) <= 1e-3))
                return false;
        }
    return true;
