// expect: on integers: [0-9]+ of [0-9]+ elements wrong
/* Y - Z is right, and neither of them is. */
static __global__ void inc_dec(const real *w, int ldw, const real *x, int ldx, real *y, int ldy, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real t = product_element(w, ldw, x, ldx, m, n, k);
    if (i < m && j < n)
        y[(size_t)i * ldy + j] += 2 * t;
}
static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    inc_dec<<<grid, block>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, z.rows, z.cols, w.cols);
    CHECK_LAUNCH();
}
