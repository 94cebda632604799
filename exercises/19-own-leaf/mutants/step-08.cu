// expect: right, but [0-9]+ transactions where [0-9]+ are possible
enum { MULTIPLE_M = 16, MULTIPLE_N = 16, MULTIPLE_K = 16 };

static __global__ void yours(const real *a, int lda, const real *b, int ldb, real *c, int ldc, int k)
{
    __shared__ real as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    real sum = 0;
    for (int first = 0; first < k; first += 16) {
        as[y][x] = a[(size_t)i * lda + first + x];
        bs[y][x] = b[(size_t)(first + y) * ldb + j];
        __syncthreads();
        for (int l = 0; l < 16; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
    }
    c[(size_t)i * ldc + j] = sum;
}

static void multiply_yours(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    dim3 block(16, 16), grid(p->n / 16, p->m / 16);
    yours<<<grid, block>>>(x.a.at, x.a.ld, x.b.at, x.b.ld, x.c.at, x.c.ld, p->k);
    CHECK_LAUNCH();
}
