// expect: fault: global-race in kernel inc_dec
/* Two blocks of threads for each tile, one a half of k: both update the same elements of Y. */
static __global__ void inc_dec(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                               real *z, int ldz, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    int half = k / 2, first = blockIdx.z * half, count = blockIdx.z ? k - half : half;
    real t = product_element(w + first, ldw, x + (size_t)first * ldx, ldx, m, n, count);
    if (i < m && j < n) {
        y[(size_t)i * ldy + j] += t;
        z[(size_t)i * ldz + j] -= t;
    }
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16), 2);
    inc_dec<<<grid, block>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, z.at, z.ld, z.rows, z.cols, w.cols);
    CHECK_LAUNCH();
}
