// expect: right, but [0-9]+ transactions where [0-9]+ are possible
/* One kernel for each update: the product is computed twice. */
static __global__ void inc(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                           real sign, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real t = product_element(w, ldw, x, ldx, m, n, k);
    if (i < m && j < n)
        y[(size_t)i * ldy + j] += sign * t;
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    inc<<<grid, block>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, 1, z.rows, z.cols, w.cols);
    CHECK_LAUNCH();
    inc<<<grid, block>>>(w.at, w.ld, x.at, x.ld, z.at, z.ld, -1, z.rows, z.cols, w.cols);
    CHECK_LAUNCH();
}
