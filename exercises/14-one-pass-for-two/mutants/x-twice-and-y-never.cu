// expect: on integers: [0-9]+ of [0-9]+ elements wrong
/* X + Y is right, and neither of them is. */
static __global__ void inc_inc_kernel(real *x, int ldx, const real *z, int ldz, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= rows || j >= cols)
        return;
    x[(size_t)i * ldx + j] += 2 * z[(size_t)i * ldz + j];
}
static void inc_inc(struct block x, struct block y, struct block z)
{
    dim3 block(16, 16), grid(blocks_for(z.cols, 16), blocks_for(z.rows, 16));
    inc_inc_kernel<<<grid, block>>>(x.at, x.ld, z.at, z.ld, z.rows, z.cols);
    CHECK_LAUNCH();
}
