    /* Four elements of a row of A at once: fewer transactions than the target. */
    real sum[2][2] = {};
    for (int l = 0; l < k; l += 4) {
        real top[4], bottom[4];
        *(real4 *)top = *(const real4 *)(a + (size_t)y * lda + l);
        *(real4 *)bottom = *(const real4 *)(a + (size_t)(y + 16) * lda + l);
        for (int u = 0; u < 4; u++) {
            real b0 = b[(size_t)(l + u) * ldb + x], b1 = b[(size_t)(l + u) * ldb + x + 16];
            sum[0][0] += top[u] * b0, sum[0][1] += top[u] * b1;
            sum[1][0] += bottom[u] * b0, sum[1][1] += bottom[u] * b1;
        }
    }
    for (int q = 0; q < 4; q++)
        c[(size_t)(y + q / 2 * 16) * ldc + x + q % 2 * 16] = sum[q / 2][q % 2];
