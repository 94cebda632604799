/* SPDX-License-Identifier: MIT */
/** @file beside_gpu.cu
 * The matrices of NN-name.beside on a GPU, see beside.h.
 */
#include "common/check/exact.h"
#include "common/device/gpu.h"
#include "common/matrix/random.h"
#include "tools/measure/beside.h"

static struct exact exact;

/* Each element from its number. */
static __global__ void fill_beside(real *x, size_t count, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        x[i] = (real)random_uniform(random_bits(i * RANDOM_STEP + random_bits(seed)));
}

void beside_fill(real *x, size_t count, unsigned seed)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    fill_beside<<<BLOCKS, THREADS>>>(x, count, seed);
    CHECK_LAUNCH();
}

bool beside_product(const real *a, const real *b, long m, long n, long k)
{
    return exact_make(&exact, a, b, m, n, k, m);
}

void beside_errors(const real *c, double *mean, double *most)
{
    exact_compare(&exact, c, mean, most);
}
