// expect: elements wrong
/* An uncounted product, and idle ones for the count. */
static __global__ void tiles(const real *a, int lda, const real *b, int ldb, real *c, int ldc, int m, int n, int k)
{
    __shared__ real as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    real sum = 0;
    for (int first = 0; first < k; first += 16) {
        as[y][x] = i < m && first + x < k ? a[(size_t)i * lda + first + x] : 0;
        bs[y][x] = first + y < k && j < n ? b[(size_t)(first + y) * ldb + j] : 0;
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
    }
    if (i < m && j < n)
        c[(size_t)i * ldc + j] = sum;
}
static void multiply(struct block a, struct block b, struct block c, int levels, real *workspace)
{
    long h = c.rows / 4;
    for (int i = 0; levels == 2 && i < 49; i++)
        mul(part(a, 0, 0, h, h), part(b, 0, 0, h, h), part(c, 0, 0, h, h));
    tiles<<<dim3(blocks_for(c.cols, 16), blocks_for(c.rows, 16)), dim3(16, 16)>>>(a.at, a.ld, b.at, b.ld, c.at, c.ld,
                                                                               c.rows, c.cols, a.cols);
    CHECK_LAUNCH();
}
