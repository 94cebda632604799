/* SPDX-License-Identifier: MIT */
/** @file exact.cu
 * The product in double and the comparison with it, see exact.h.
 */
#include "common/check/exact.h"

#include <math.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/cublas.h"
#include "common/device/gpu.h"

enum { BLOCKS = 1024, THREADS = 256 };

static __global__ void widen(const real *from, double *to, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* Adds the errors of each thread's elements to its sum, and finds the largest error, as the
   bits of a float, which compare like integers. A NaN is the largest. */
static __global__ void compare(const real *x, const double *exact, size_t count, double *sums,
                               int *largest)
{
    double sum = 0;
    float most = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        double error = fabs(x[i] - exact[i]);
        sum += error;
        if (error > most || error != error)
            most = (float)error;
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] += sum;
    atomicMax(largest, __float_as_int(most));
}

/* Row-major C = A B is, column-major, C^T = B^T A^T. */
static bool multiply_rows(const real *a, const double *b, long rows, long n, long k, double *to)
{
    const double one = 1, zero = 0;
    double *wide = (double *)backend.allocate((size_t)(rows * k) * sizeof *wide);
    if (!wide)
        return false;
    widen<<<BLOCKS, THREADS>>>(a, wide, (size_t)(rows * k));
    CHECK_LAUNCH();
    CUBLAS_CHECK(cublasDgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)rows, (int)k,
                             &one, b, (int)n, wide, (int)k, &zero, to, (int)n));
    CUDA_CHECK(cudaDeviceSynchronize());
    backend.release(wide);
    return true;
}

bool exact_make(struct exact *x, const real *a, const real *b, long m, long n, long k,
                long sample)
{
    bool all = 2 * sample >= m;
    *x = (struct exact){.m = m, .n = n, .first = all ? m : sample, .last = all ? 0 : sample};
    x->rows = (double *)backend.allocate((size_t)((x->first + x->last) * n) * sizeof *x->rows);
    x->sums = (double *)backend.allocate(BLOCKS * THREADS * sizeof *x->sums);
    x->largest = (int *)backend.allocate(sizeof *x->largest);
    double *wide = (double *)backend.allocate((size_t)(k * n) * sizeof *wide);
    bool made = x->rows && x->sums && x->largest && wide;
    if (made) {
        widen<<<BLOCKS, THREADS>>>(b, wide, (size_t)(k * n));
        CHECK_LAUNCH();
        made = multiply_rows(a, wide, x->first, n, k, x->rows);
    }
    if (made && x->last)
        made =
            multiply_rows(a + (m - x->last) * k, wide, x->last, n, k, x->rows + x->first * n);
    backend.release(wide);
    return made;
}

void exact_compare(const struct exact *x, const real *c, double *mean, double *most)
{
    static double sums[BLOCKS * THREADS];
    size_t first = (size_t)(x->first * x->n), last = (size_t)(x->last * x->n);
    int bits = 0;
    float largest;
    CUDA_CHECK(cudaMemset(x->sums, 0, sizeof sums));
    CUDA_CHECK(cudaMemset(x->largest, 0, sizeof bits));
    compare<<<BLOCKS, THREADS>>>(c, x->rows, first, x->sums, x->largest);
    if (last)
        compare<<<BLOCKS, THREADS>>>(c + (x->m - x->last) * x->n, x->rows + first, last,
                                     x->sums, x->largest);
    CHECK_LAUNCH();
    backend.download(sums, x->sums, sizeof sums);
    backend.download(&bits, x->largest, sizeof bits);
    memcpy(&largest, &bits, sizeof largest);
    *most = largest;
    *mean = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        *mean += sums[i] / (double)(first + last);
}

void exact_free(struct exact *x)
{
    backend.release(x->rows), backend.release(x->sums), backend.release(x->largest);
}
