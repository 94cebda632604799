/* All three elements first; blocks of 64 x 4 threads. */
static __global__ void both(struct block c21, struct block c22, struct block c11)
{
    long i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(i < c11.rows) || !(j < c11.cols))
        return;
    real m7 = c21.at[i * c21.ld + j], m5 = c22.at[i * c22.ld + j], v2 = c11.at[i * c11.ld + j];
    c22.at[i * c22.ld + j] = m5 + v2;
    c21.at[i * c21.ld + j] = v2 - m7;
}
static void form(struct block c21, struct block c22, struct block c11)
{
    dim3 block(64, 4), grid(blocks_for(c11.cols, 64), blocks_for(c11.rows, 4));
    both<<<grid, block>>>(c21, c22, c11);
    CHECK_LAUNCH();
}
