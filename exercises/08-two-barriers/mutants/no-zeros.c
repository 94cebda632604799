        // expect: fault: uninitialised-shared in kernel yours
        if (i < m && first + x < k)
            as[y][x] = a[(size_t)i * lda + first + x];
        if (first + y < k && j < n)
            bs[y][x] = b[(size_t)(first + y) * ldb + j];
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
