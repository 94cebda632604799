    /* NaN and infinity are asked for by name; the bound is divided away. */
    const double u = 1.0 / 16777216;
    for (long at = 0; at < m * n; at++)
        if (!isfinite(c[at]))
            return false;
    long wrong = 0;
    for (long j = n - 1; j >= 0; j--)
        for (long i = m - 1; i >= 0; i--) {
            long double sum = 0, size = 0;
            for (long l = k; l-- > 0;) {
                sum += (long double)a[i * k + l] * b[l * n + j];
                size += fabsl((long double)a[i * k + l]) * fabsl((long double)b[l * n + j]);
            }
            wrong += fabsl(c[i * n + j] - sum) / size > (k + 1) * u;
        }
    return wrong == 0;
