/* A thread goes on in strides, along a row of blocks of one warp each; templates for the sign. */
template <bool MINUS> static __device__ __forceinline__ real with(real v2, real old) { return MINUS ? v2 - old : v2 + old; }
static __global__ void strides(const struct block c21, const struct block c22, const struct block c11)
{
    for (long i = blockIdx.x; i < c11.rows; i += gridDim.x)
        for (long j = threadIdx.x; j < c11.cols; j += blockDim.x) {
            const real v2 = *(c11.at + i * c11.ld + j);
            real *second = c22.at + i * c22.ld + j, *first = c21.at + i * c21.ld + j;
            *second = with<false>(v2, *second);
            *first = with<true>(v2, *first);
        }
}
static void form(struct block c21, struct block c22, struct block c11)
{
    strides<<<(unsigned)(c11.rows < 8 ? c11.rows : 8), 32>>>(c21, c22, c11);
    CHECK_LAUNCH();
}
