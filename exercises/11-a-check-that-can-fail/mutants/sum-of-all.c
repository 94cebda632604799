    // expect: one element off by a 2048th was accepted
    double error = 0, size = 0;
    for (long i = 0; i < m * n; i++) {
        double sum = 0;
        for (long l = 0; l < k; l++)
            sum += (double)a[i / n * k + l] * b[l * n + i % n];
        error += fabs(c[i] - sum);
        size += fabs(sum);
    }
    return error <= 1e-3 * size;
