        /* Only the terms that there are, and the barrier of the first round at its beginning. */
        __syncthreads();
        if (i < m && first + x < k)
            as[y][x] = a[(size_t)i * lda + first + x];
        if (first + y < k && j < n)
            bs[y][x] = b[(size_t)(first + y) * ldb + j];
        __syncthreads();
        int last = k - first < 16 ? k - first : 16;
        if (i < m && j < n)
            for (int l = 0; l < last; l++)
                sum += as[y][l] * bs[l][x];
