    /* Backwards from the last row of B, four sums, a pointer to pairs. */
    const real2 *pair = (const real2 *)(b + (size_t)k * ldb) + j;
    const real *line = a + (size_t)i * lda + k;
    real sum[2][2] = {};
    for (int left = k; left > 0; left--) {
        pair -= ldb / 2;
        const real2 now = *pair;
        const real al = *--line;
        sum[left & 1][0] += al * now.x;
        sum[left & 1][1] += al * now.y;
    }
    reinterpret_cast<real2 *>(c + (size_t)i * ldc)[j] = real2{sum[0][0] + sum[1][0], sum[0][1] + sum[1][1]};
