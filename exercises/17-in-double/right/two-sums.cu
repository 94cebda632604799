    real left = 0, right = 0;
    for (int l = 0; l < k; l++) {
        real al = a[(size_t)i * lda + l];
        real2 two = *(const real2 *)&b[(size_t)l * ldb + 2 * j];
        left = fma(al, two.x, left), right = fma(al, two.y, right);
    }
    real2 both;
    both.x = left, both.y = right;
    *(real2 *)&c[(size_t)i * ldc + 2 * j] = both;
