    /* The number unsigned, the column first, and pointers. */
    const unsigned number = threadIdx.x + blockDim.x * blockIdx.x;
    const int column = number % n, row = (number - column) / n;
    if (row >= m)
        return;
    const real *from_a = &a[(size_t)row * lda], *from_b = &b[column];
    real sum = 0;
    for (const real *end = from_a + k; from_a < end; from_a++, from_b += ldb)
        sum = fmaf(*from_a, *from_b, sum);
    c[(size_t)row * ldc + column] = sum;
