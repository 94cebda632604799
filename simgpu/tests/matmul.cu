/* SPDX-License-Identifier: MIT */
/** @file matmul.cu
 * Kernels whose transactions are known in closed form.
 */
#include "matmul.cuh"
#include "matmul.h"

#ifdef TEST_F64
#define PRECISION "f64"
#ifdef SIMGPU_TRACED
#define TABLE matmul_f64_traced
#else
#define TABLE matmul_f64_plain
#endif
#else
#define PRECISION "f32"
#ifdef SIMGPU_TRACED
#define TABLE matmul_f32_traced
#else
#define TABLE matmul_f32_plain
#endif
#endif
#ifdef SIMGPU_TRACED
enum { TRACED = 1 };
#define BUILD PRECISION " traced"
#else
enum { TRACED = 0 };
#define BUILD PRECISION " plain"
#endif

static __global__ void naive_kernel(const real *a, const real *b, real *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        real sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

static __global__ void uncoalesced_kernel(const real *a, const real *b, real *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    real sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

template <int TILE>
static __global__ void tiled_kernel(const real *a, const real *b, real *c, int n)
{
    __shared__ real as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    real sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

/* Figures 7 to 9. */
static __device__ void update2(real *a, real b, real *c)
{
    for (int i = 0; i < 16; i++)
        c[i] += a[i * 4] * b;
}

template <int WIDTH> static __device__ void store4(real *place, real4 v)
{
    if (WIDTH % 4 == 0) {
        *(real4 *)place = v;
        return;
    }
    place[0] = v.x;
    place[1] = v.y;
    place[2] = v.z;
    place[3] = v.w;
}

/* Rows of WIDTH elements in shared memory; four at a time are stored where they are aligned. */
template <int WIDTH> static __global__ void gpu8_kernel(real *a, real *b, real *c, int n)
{
    __shared__ __align__(16) real as[16][WIDTH];
    real cr[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    int nDiv64 = n / 64;
    int sRow = threadIdx.y;
    int sRow4 = sRow * 4;
    int sCol = threadIdx.x;
    int tid = sRow * 16 + sCol;
    int nTimes2 = 2 * n, nTimes3 = 3 * n, nTimes4 = 4 * n;
    a += (16 * blockIdx.y + sRow) * n + sCol * 4;
    b += 128 * blockIdx.x + tid;
    c += 16 * blockIdx.y * n + 128 * blockIdx.x + tid;
    real4 *a4 = (real4 *)a;
    for (int i = 0; i < nDiv64; i++) {
        store4<WIDTH>(&as[sCol][sRow4], a4[0]);
        store4<WIDTH>(&as[sCol][sRow4 + 32], a4[nTimes2]);
        __syncthreads();
        real br0 = b[0], br1 = b[n], br2 = b[nTimes2], br3 = b[nTimes3];
        b += nTimes4;
#pragma unroll
        for (int k = 0; k < 15; k++) {
            update2(&as[k][0], br0, cr);
            br0 = b[0];
            update2(&as[k][1], br1, cr);
            br1 = b[n];
            update2(&as[k][2], br2, cr);
            br2 = b[nTimes2];
            update2(&as[k][3], br3, cr);
            br3 = b[nTimes3];
            b += nTimes4;
        }
        update2(&as[15][0], br0, cr);
        update2(&as[15][1], br1, cr);
        update2(&as[15][2], br2, cr);
        update2(&as[15][3], br3, cr);
        a4 += 16;
        __syncthreads();
    }
    for (int j = 0; j < 16; j++) {
        c[0] = cr[j];
        c += n;
    }
}

static void naive(const void *a, const void *b, void *c, int n)
{
    naive_kernel<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(
        (const real *)a, (const real *)b, (real *)c, n);
}

static void uncoalesced(const void *a, const void *b, void *c, int n)
{
    uncoalesced_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>((const real *)a, (const real *)b,
                                                               (real *)c, n);
}

static void tiled(const void *a, const void *b, void *c, int n)
{
    tiled_kernel<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>((const real *)a, (const real *)b,
                                                             (real *)c, n);
}

static void tiled_32(const void *a, const void *b, void *c, int n)
{
    tiled_kernel<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>((const real *)a, (const real *)b,
                                                             (real *)c, n);
}

static void gpu8(const void *a, const void *b, void *c, int n)
{
    gpu8_kernel<65><<<dim3(n / 128, n / 16), dim3(16, 8)>>>((real *)a, (real *)b, (real *)c, n);
}

static void gpu8_padded(const void *a, const void *b, void *c, int n)
{
    gpu8_kernel<68><<<dim3(n / 128, n / 16), dim3(16, 8)>>>((real *)a, (real *)b, (real *)c, n);
}

extern "C" const struct matmul TABLE = {BUILD, sizeof(real), TRACED, naive,       uncoalesced,
                                        tiled, tiled_32,     gpu8,   gpu8_padded, add};
