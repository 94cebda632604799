/* SPDX-License-Identifier: MIT */
/** @file matmul.cu
 * Kernels whose transactions are known in closed form.
 */
#include "matmul.cuh"
#include "matmul.h"

#ifdef SIMGPU_TRACED
#define TABLE matmul_traced
#define BUILD "traced"
enum { TRACED = 1 };
#else
#define TABLE matmul_plain
#define BUILD "plain"
enum { TRACED = 0 };
#endif

static __global__ void naive_kernel(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

static __global__ void uncoalesced_kernel(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

template <int TILE>
static __global__ void tiled_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
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
static __device__ void update2(float *a, float b, float *c)
{
    for (int i = 0; i < 16; i++)
        c[i] += a[i * 4] * b;
}

template <int WIDTH> static __device__ void store4(float *place, float4 v)
{
    if (WIDTH % 4 == 0) {
        *(float4 *)place = v;
        return;
    }
    place[0] = v.x;
    place[1] = v.y;
    place[2] = v.z;
    place[3] = v.w;
}

/* Rows of WIDTH elements in shared memory; four at a time are stored where they are aligned. */
template <int WIDTH>
static __global__ void gpu8_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ __align__(16) float as[16][WIDTH];
    float cr[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    int nDiv64 = n / 64;
    int sRow = threadIdx.y;
    int sRow4 = sRow * 4;
    int sCol = threadIdx.x;
    int tid = sRow * 16 + sCol;
    int nTimes2 = 2 * n, nTimes3 = 3 * n, nTimes4 = 4 * n;
    a += (16 * blockIdx.y + sRow) * n + sCol * 4;
    b += 128 * blockIdx.x + tid;
    c += 16 * blockIdx.y * n + 128 * blockIdx.x + tid;
    const float4 *a4 = (const float4 *)a;
    for (int i = 0; i < nDiv64; i++) {
        store4<WIDTH>(&as[sCol][sRow4], a4[0]);
        store4<WIDTH>(&as[sCol][sRow4 + 32], a4[nTimes2]);
        __syncthreads();
        float br0 = b[0], br1 = b[n], br2 = b[nTimes2], br3 = b[nTimes3];
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

static void naive(const float *a, const float *b, float *c, int n)
{
    naive_kernel<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}

static void uncoalesced(const float *a, const float *b, float *c, int n)
{
    uncoalesced_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}

template <int TILE> static void tiled(const float *a, const float *b, float *c, int n)
{
    tiled_kernel<TILE><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
}

template <int WIDTH> static void gpu8(const float *a, const float *b, float *c, int n)
{
    gpu8_kernel<WIDTH><<<dim3(n / 128, n / 16), dim3(16, 8)>>>(a, b, c, n);
}

extern "C" const struct matmul TABLE = {BUILD,     TRACED,   naive,    uncoalesced, tiled<16>,
                                        tiled<32>, gpu8<65>, gpu8<68>, add};
