// expect: It calls cudaMallocManaged
/* The processor multiplies. */
enum { MULTIPLE_M = 0, MULTIPLE_N = 0, MULTIPLE_K = 0 };
static __global__ void move(const real *x, int ldx, real *y, int ldy, int rows, int cols)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i < rows && j < cols)
        y[(size_t)i * ldy + j] = x[(size_t)i * ldx + j];
}
static void pass(struct block x, struct block y)
{
    move<<<dim3(blocks_for(x.cols, 16), blocks_for(x.rows, 16)), dim3(16, 16)>>>(x.at, x.ld, y.at, y.ld, x.rows, x.cols);
    CHECK_LAUNCH();
    cudaDeviceSynchronize();
}
static void multiply_yours(const struct problem *p, void *workspace)
{
    real *room;
    cudaMallocManaged((void **)&room, 4 * (p->m * p->k + p->k * p->n + p->m * p->n));
    struct block a = {room, p->m, p->k, p->k}, b = {room + p->m * p->k, p->k, p->n, p->n}, c = {room + p->m * p->k + p->k * p->n, p->m, p->n, p->n};
    pass(block_a(p), a), pass(block_b(p), b);
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++) {
            double sum = 0;
            for (long l = 0; l < p->k; l++)
                sum += (double)a.at[i * a.ld + l] * b.at[l * b.ld + j];
            c.at[i * c.ld + j] = sum;
        }
    pass(c, block_c(p));
    cudaFree(room);
}
