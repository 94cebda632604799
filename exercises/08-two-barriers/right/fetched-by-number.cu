        /* A thread is not the element of C with its number in the tiles: thread t fetches element t. */
        int t = 16 * threadIdx.y + threadIdx.x, row = t / 16, col = t % 16;
        int from = blockIdx.y * 16 + row, to = blockIdx.x * 16 + col;
        if (from < m && first + col < k)
            as[row][col] = a[(size_t)from * lda + first + col];
        else
            as[row][col] = 0;
        bs[row][col] = 0;
        if (first + row < k && to < n)
            bs[row][col] = b[(size_t)(first + row) * ldb + to];
        __syncthreads();
        real part = 0;
#pragma unroll
        for (int l = 15; l >= 0; l--)
            part += as[y][l] * bs[l][x];
        sum += part;
        __syncthreads();
