    // expect: accepted \(very small numbers\)
    /* An absolute and a relative tolerance together, as in many libraries' functions. */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long l = 0; l < k; l++)
                sum += (double)a[i * k + l] * b[l * n + j];
            if (!(fabs(c[i * n + j] - sum) <= 1e-8 + 1e-5 * fabs(sum)))
                return false;
        }
    return true;
