    // expect: It is to be written without __shared__
    /* B one by one into a tile: no real2 but for nothing. */
    __shared__ real bs[16][33];
    if ((int)(blockIdx.y + 1) * 16 <= m) {
        real left = 0, right = 0;
        int x = threadIdx.x, y = threadIdx.y;
        for (int first = 0; first < k; first += 16) {
            __syncthreads();
            if (first + y < k) {
                bs[y][x] = b[(size_t)(first + y) * ldb + blockIdx.x * 32 + x];
                bs[y][x + 16] = b[(size_t)(first + y) * ldb + blockIdx.x * 32 + x + 16];
            }
            __syncthreads();
            for (int l = first; l < first + 16 && l < k; l++) {
                real al = a[(size_t)i * lda + l];
                left += al * bs[l - first][2 * x];
                right += al * bs[l - first][2 * x + 1];
            }
        }
        c[(size_t)i * ldc + 2 * j] = left;
        c[(size_t)i * ldc + 2 * j + 1] = right;
    } else {
        real left = 0, right = 0;
        for (int l = 0; l < k; l++) {
            left += a[(size_t)i * lda + l] * b[(size_t)l * ldb + 2 * j];
            right += a[(size_t)i * lda + l] * b[(size_t)l * ldb + 2 * j + 1];
        }
        c[(size_t)i * ldc + 2 * j] = left;
        c[(size_t)i * ldc + 2 * j + 1] = right;
    }
