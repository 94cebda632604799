// expect: right, but [0-9]+ (transactions|volume bytes) where [0-9]+ are possible
/* Two sums, six passes, but two elements at once where rows allow it. */
static __global__ void pairs(real *c, int ldc, real sign, const real *v, int ldv, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = 2 * (blockIdx.x * 16 + threadIdx.x);
    if (i >= rows || j >= cols)
        return;
    c += (size_t)i * ldc + j, v += (size_t)i * ldv + j;
    if (j + 1 < cols && (size_t)c % 8 == 0 && (size_t)v % 8 == 0) {
        real2 x = *(real2 *)c, y = *(const real2 *)v;
        x.x = y.x + sign * x.x, x.y = y.y + sign * x.y;
        *(real2 *)c = x;
    } else {
        c[0] = v[0] + sign * c[0];
        if (j + 1 < cols)
            c[1] = v[1] + sign * c[1];
    }
}
static void form(struct block c21, struct block c22, struct block c11)
{
    dim3 block(16, 16), grid(blocks_for(c11.cols, 32), blocks_for(c11.rows, 16));
    pairs<<<grid, block>>>(c21.at, c21.ld, -1, c11.at, c11.ld, c11.rows, c11.cols);
    CHECK_LAUNCH();
    pairs<<<grid, block>>>(c22.at, c22.ld, 1, c11.at, c11.ld, c11.rows, c11.cols);
    CHECK_LAUNCH();
}
