    // expect: It is to be written without __shared__
    /* Step 08's tiles, and one element after another. */
    __shared__ real as[16][16], bs[16][16];
    for (int row = y; row < 32; row += 16)
        for (int col = x; col < 32; col += 16) {
            real sum = 0;
            for (int first = 0; first < k; first += 16) {
                as[y][x] = a[(size_t)row * lda + first + x];
                bs[y][x] = b[(size_t)(first + y) * ldb + col];
                __syncthreads();
                for (int l = 0; l < 16; l++)
                    sum += as[y][l] * bs[l][x];
                __syncthreads();
            }
            c[(size_t)row * ldc + col] = sum;
        }
