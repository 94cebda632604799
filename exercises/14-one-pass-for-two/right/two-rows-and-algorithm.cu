#include <algorithm>
/* Two rows for each thread, and a header of C++. */
static __global__ void two_rows(struct block x, struct block y, struct block z)
{
    long j = blockIdx.x * 32 + threadIdx.x, first = 2 * (blockIdx.y * 8 + threadIdx.y);
    if (j >= z.cols)
        return;
    for (long i = first; i < (first + 2 < z.rows ? first + 2 : z.rows); i++) {
        const real t = z.at[i * z.ld + j];
        x.at[i * x.ld + j] += t, y.at[i * y.ld + j] += t;
    }
}
static void inc_inc(struct block x, struct block y, struct block z)
{
    const long rows = std::min(x.rows, z.rows), cols = std::min(y.cols, z.cols);
    two_rows<<<dim3(blocks_for(cols, 32), blocks_for(rows, 16)), dim3(32, 8)>>>(x, y, z);
    CHECK_LAUNCH();
}
