        /* Two pairs of tiles in turn: nobody overwrites what is still read, so one barrier a round is enough. */
        __shared__ real as2[16][16], bs2[16][16];
        bool odd = first / 16 % 2;
        real(*ta)[16] = odd ? as2 : as, (*tb)[16] = odd ? bs2 : bs;
        ta[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        tb[y][x] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += ta[y][l] * tb[l][x];
