/* Strassen's eighteen sums in Figure 2's order, with the sums in a kernel of its own. */
static __global__ void combine(struct block x, real sign, struct block y, struct block z)
{
    int i = blockIdx.y, j = blockIdx.x * 64 + threadIdx.x;
    if (j < z.cols)
        z.at[i * z.ld + j] = x.at[i * x.ld + j] + sign * y.at[i * y.ld + j];
}
static void sum_of(struct block x, real sign, struct block y, struct block z)
{
    combine<<<dim3(blocks_for(z.cols, 64), (unsigned)z.rows), 64>>>(x, sign, y, z);
    CHECK_LAUNCH();
}
static void one_level(struct block a, struct block b, struct block c, real *workspace)
{
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    long h = c.rows / 2;
    struct block S = take_block(&workspace, h, h), T = take_block(&workspace, h, h), M = take_block(&workspace, h, h);
    sum_of(A.q21, -1, A.q11, S), sum_of(B.q11, 1, B.q12, T), mul(S, T, C.q22);
    sum_of(A.q12, -1, A.q22, S), sum_of(B.q21, 1, B.q22, T), mul(S, T, C.q11);
    sum_of(A.q11, 1, A.q22, S), sum_of(B.q11, 1, B.q22, T), mul(S, T, M);
    sum_of(C.q11, 1, M, C.q11), sum_of(C.q22, 1, M, C.q22);
    sum_of(A.q21, 1, A.q22, S), mul(S, B.q11, C.q21), sum_of(C.q22, -1, C.q21, C.q22);
    sum_of(B.q12, -1, B.q22, T), mul(A.q11, T, C.q12), sum_of(C.q22, 1, C.q12, C.q22);
    sum_of(B.q21, -1, B.q11, T), mul(A.q22, T, M), sum_of(C.q21, 1, M, C.q21), sum_of(C.q11, 1, M, C.q11);
    sum_of(A.q11, 1, A.q12, S), mul(S, B.q22, M), sum_of(C.q12, 1, M, C.q12), sum_of(C.q11, -1, M, C.q11);
}
static size_t elements(long n) { return (size_t)(n / 2 * (n / 2) * 3); }
