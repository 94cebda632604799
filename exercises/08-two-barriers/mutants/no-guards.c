        // expect: fault: out-of-bounds-global in kernel yours
        as[y][x] = a[(size_t)i * lda + first + x];
        bs[y][x] = b[(size_t)(first + y) * ldb + j];
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
