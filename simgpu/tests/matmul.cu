/* SPDX-License-Identifier: MIT */
/** @file matmul.cu
 * Kernels whose transactions are known in closed form.
 */
#include "matmul.cuh"
#include "matmul.h"

#define JOIN3(a, b, c) a##b##c
#define NAMED(a, b, c) JOIN3(a, b, c)
#ifdef TEST_F64
#define PRECISION f64
#else
#define PRECISION f32
#endif
#ifdef SIMGPU_TRACED
#define BUILD _traced
#else
#define BUILD _plain
#endif
#define TEXT2(x) #x
#define TEXT(x)  TEXT2(x)

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

#define TILED_KERNEL(name, TILE)                                                               \
    static __global__ void name(const real *a, const real *b, real *c, int n)                  \
    {                                                                                          \
        __shared__ real as[TILE][TILE], bs[TILE][TILE];                                        \
        int tx = threadIdx.x, ty = threadIdx.y;                                                \
        int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;                        \
        real sum = 0;                                                                          \
        for (int t = 0; t < n; t += TILE) {                                                    \
            as[ty][tx] = a[row * n + t + tx];                                                  \
            bs[ty][tx] = b[(t + ty) * n + col];                                                \
            __syncthreads();                                                                   \
            for (int k = 0; k < TILE; k++)                                                     \
                sum += as[ty][k] * bs[k][tx];                                                  \
            __syncthreads();                                                                   \
        }                                                                                      \
        c[row * n + col] = sum;                                                                \
    }

TILED_KERNEL(tiled_kernel, 16)
TILED_KERNEL(tiled_32_kernel, 32)

/* Figures 7 to 9. */
static __device__ void update2(real *a, real b, real *c)
{
    for (int i = 0; i < 16; i++)
        c[i] += a[i * 4] * b;
}

#define GPU8_KERNEL(name, WIDTH, STORE)                                                        \
    static __global__ void name(real *a, real *b, real *c, int n)                              \
    {                                                                                          \
        __shared__ __align__(16) real as[16][WIDTH];                                           \
        real cr[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};                        \
        int nDiv64 = n / 64;                                                                   \
        int sRow = threadIdx.y;                                                                \
        int sRow4 = sRow * 4;                                                                  \
        int sCol = threadIdx.x;                                                                \
        int tid = sRow * 16 + sCol;                                                            \
        int nTimes2 = 2 * n, nTimes3 = 3 * n, nTimes4 = 4 * n;                                 \
        a += (16 * blockIdx.y + sRow) * n + sCol * 4;                                          \
        b += 128 * blockIdx.x + tid;                                                           \
        c += 16 * blockIdx.y * n + 128 * blockIdx.x + tid;                                     \
        real4 *a4 = (real4 *)a;                                                                \
        for (int i = 0; i < nDiv64; i++) {                                                     \
            STORE(sRow4, a4[0])                                                                \
            STORE(sRow4 + 32, a4[nTimes2])                                                     \
            __syncthreads();                                                                   \
            real br0 = b[0], br1 = b[n], br2 = b[nTimes2], br3 = b[nTimes3];                   \
            b += nTimes4;                                                                      \
            _Pragma("unroll") for (int k = 0; k < 15; k++)                                     \
            {                                                                                  \
                update2(&as[k][0], br0, cr);                                                   \
                br0 = b[0];                                                                    \
                update2(&as[k][1], br1, cr);                                                   \
                br1 = b[n];                                                                    \
                update2(&as[k][2], br2, cr);                                                   \
                br2 = b[nTimes2];                                                              \
                update2(&as[k][3], br3, cr);                                                   \
                br3 = b[nTimes3];                                                              \
                b += nTimes4;                                                                  \
            }                                                                                  \
            update2(&as[15][0], br0, cr);                                                      \
            update2(&as[15][1], br1, cr);                                                      \
            update2(&as[15][2], br2, cr);                                                      \
            update2(&as[15][3], br3, cr);                                                      \
            a4 += 16;                                                                          \
            __syncthreads();                                                                   \
        }                                                                                      \
        for (int j = 0; j < 16; j++) {                                                         \
            c[0] = cr[j];                                                                      \
            c += n;                                                                            \
        }                                                                                      \
    }

#define STORE_SCALARS(place, value)                                                            \
    {                                                                                          \
        real4 v = value;                                                                       \
        as[sCol][(place)] = v.x;                                                               \
        as[sCol][(place) + 1] = v.y;                                                           \
        as[sCol][(place) + 2] = v.z;                                                           \
        as[sCol][(place) + 3] = v.w;                                                           \
    }
#define STORE_VECTOR(place, value) *((real4 *)&as[sCol][(place)]) = value;

GPU8_KERNEL(gpu8_kernel, 65, STORE_SCALARS)
GPU8_KERNEL(gpu8_padded_kernel, 68, STORE_VECTOR)

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
    tiled_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>((const real *)a, (const real *)b,
                                                         (real *)c, n);
}

static void tiled_32(const void *a, const void *b, void *c, int n)
{
    tiled_32_kernel<<<dim3(n / 32, n / 32), dim3(32, 32)>>>((const real *)a, (const real *)b,
                                                            (real *)c, n);
}

static void gpu8(const void *a, const void *b, void *c, int n)
{
    gpu8_kernel<<<dim3(n / 128, n / 16), dim3(16, 8)>>>((real *)a, (real *)b, (real *)c, n);
}

static void gpu8_padded(const void *a, const void *b, void *c, int n)
{
    gpu8_padded_kernel<<<dim3(n / 128, n / 16), dim3(16, 8)>>>((real *)a, (real *)b, (real *)c,
                                                               n);
}

extern "C" const struct matmul NAMED(matmul_, PRECISION,
                                     BUILD) = {TEXT(PRECISION) " " TEXT(BUILD),
                                               sizeof(real),
#ifdef SIMGPU_TRACED
                                               1,
#else
                                               0,
#endif
                                               naive,
                                               uncoalesced,
                                               tiled,
                                               tiled_32,
                                               gpu8,
                                               gpu8_padded,
                                               add};
