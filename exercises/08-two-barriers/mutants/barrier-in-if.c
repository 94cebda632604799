        // expect: fault: barrier-divergence in kernel yours
        if (i < m && j < n) {
            as[y][x] = first + x < k ? a[(size_t)i * lda + first + x] : 0;
            bs[y][x] = first + y < k ? b[(size_t)(first + y) * ldb + j] : 0;
            __syncthreads();
            for (int l = 0; l < 16; l++)
                sum += as[y][l] * bs[l][x];
            __syncthreads();
        }
