    // expect: It is to be written without double
    /* Sums in double, whatever real is. */
    double left = 0, right = 0;
    for (int l = 0; l < k; l++) {
        double al = a[(size_t)i * lda + l];
        real2 bl = ((const real2 *)(b + (size_t)l * ldb))[j];
        left += al * bl.x, right += al * bl.y;
    }
    real2 both;
    both.x = (real)left, both.y = (real)right;
    ((real2 *)(c + (size_t)i * ldc))[j] = both;
