/* SPDX-License-Identifier: MIT */
/** @file alone.cu
 * Winograd's variant on several levels, to be pasted into other programs: winograd() and what
 * is above it. `nvcc -O3 alone.cu && ./a.out 8000 9000 10000 3` multiplies 8000 x 10000 by
 * 10000 x 9000 on 3 levels; without a GPU: `./ladder sim
 * steps/15-winograd-multilevel/alone.cu`. Exit status: 0 right within the bound of Higham
 * (2002), section 23.2.2, 1 wrong, 2 bad sizes.
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a call failed. `line` is that of the call. */
static void must(cudaError_t status, int line = __builtin_LINE())
{
    if (status != cudaSuccess)
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status)), exit(1);
}

/** A matrix or a part of one: row i begins at `at + i * ld`. Beyond its edges are zeros. */
struct block {
    float *at;
    int ld, rows, cols;
    __device__ bool has(int i, int j) const { return i < rows && j < cols; }
    __device__ float get(int i, int j) const { return has(i, j) ? at[(size_t)i * ld + j] : 0; }
};
enum { EACH = 8, TILE = 16 * EACH, STEP = 16 };         /* a tile of C, and of k at a time */
static int up(int x, int y) { return (x + y - 1) / y; } /* rounded up */
/* c = a * b. A block of 16 x 16 threads makes a tile of c, each thread 8 x 8 elements. */
__global__ void product_kernel(struct block A, struct block B, struct block C)
{
    __shared__ float as[STEP][TILE + 1], bs[STEP][TILE]; /* + 1: no bank conflicts */
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE, ty = threadIdx.y, tx = threadIdx.x;
    float sum[EACH][EACH] = {};
    for (int first = 0; first < A.cols; first += STEP) {
        for (int i = 0; i < EACH; i++) {
            as[tx][ty + 16 * i] = A.get(top + ty + 16 * i, first + tx);
            bs[ty][tx + 16 * i] = B.get(first + ty, left + tx + 16 * i);
        }
        __syncthreads(); /* both tiles are complete */
        for (int l = 0; l < STEP; l++)
            for (int x = 0; x < EACH * EACH; x++)
                sum[x / EACH][x % EACH] +=
                    as[l][ty + x / EACH * 16] * bs[l][tx + x % EACH * 16];
        __syncthreads(); /* nobody reads them any longer */
    }
    for (int x = 0; x < EACH * EACH; x++) {
        int i = top + ty + x / EACH * 16, j = left + tx + x % EACH * 16;
        if (C.has(i, j))
            C.at[(size_t)i * C.ld + j] = sum[x / EACH][x % EACH];
    }
}

/* z = x + sign * y, where z may be x or y. */
__global__ void add_kernel(struct block x, float sign, struct block y, struct block z)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (z.has(i, j))
        z.at[(size_t)i * z.ld + j] = x.get(i, j) + sign * y.get(i, j);
}
static void add(struct block x, int sign, struct block y, struct block z)
{
    add_kernel<<<dim3(up(z.cols, 16), up(z.rows, 16)), dim3(16, 16)>>>(x, sign, y, z);
}
static struct block quadrant(struct block x, int row, int col)
{
    int rows = x.rows / 2, cols = x.cols / 2;
    return {x.at + (size_t)row * rows * x.ld + col * cols, x.ld, rows, cols};
}

/** C = A * B on this many levels. S holds a sum of A, later a product, and T a sum of B. */
void winograd(struct block A, struct block B, struct block C, int levels, float *work)
{
    if (levels-- == 0) {
        product_kernel<<<dim3(up(C.cols, TILE), up(C.rows, TILE)), dim3(16, 16)>>>(A, B, C);
        return;
    }
    struct block A11 = quadrant(A, 0, 0), A12 = quadrant(A, 0, 1), A21 = quadrant(A, 1, 0);
    struct block B11 = quadrant(B, 0, 0), B12 = quadrant(B, 0, 1), B21 = quadrant(B, 1, 0);
    struct block C11 = quadrant(C, 0, 0), C12 = quadrant(C, 0, 1), C21 = quadrant(C, 1, 0);
    struct block A22 = quadrant(A, 1, 1), B22 = quadrant(B, 1, 1), C22 = quadrant(C, 1, 1);
    int m = C11.rows, n = C11.cols, k = A11.cols;
    float *second = work + (size_t)k * n;
    struct block T = {work, n, k, n}, S = {second, k, m, k}, M = {second, n, m, n};
    work = second + (size_t)m * max(k, n);
    /// [alone]
    add(A11, -1, A21, S), add(B22, -1, B12, T), winograd(S, T, C21, levels, work); /* M4 */
    add(A21, 1, A22, S), add(B12, -1, B11, T), winograd(S, T, C22, levels, work);  /* M5 */
    add(S, -1, A11, S), add(B22, -1, T, T), winograd(S, T, C11, levels, work);     /* M1 */
    add(A12, -1, S, S), winograd(S, B22, C12, levels, work);                       /* M6 */
    winograd(A11, B11, M, levels, work), add(C12, 1, C22, C12);        /* M2, M5 + M6 */
    add(C11, 1, M, C11), add(C12, 1, C11, C12), add(C11, 1, C21, C11); /* V1, C12, V2 */
    add(T, -1, B21, T), winograd(A22, T, C21, levels, work);           /* M7 */
    add(C22, 1, C11, C22), add(C11, -1, C21, C21);                     /* V2 + M5, V2 - M7 */
    winograd(A12, B21, C11, levels, work), add(C11, 1, M, C11);        /* M3, M2 + M3 */
    /// [alone]
}

__managed__ int wrong; /* elements that differ from the plain product by more than the bound */
__global__ void count_wrong(struct block A, struct block B, struct block C, double bound)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    double sum = 0;
    for (int l = 0; l < A.cols; l++)
        sum += (double)A.get(i, l) * B.get(l, j);
    if (!(fabs(C.get(i, j) - sum) <= bound)) /* NaN is wrong, too */
        atomicAdd(&wrong, 1);
}

static struct block random_matrix(int rows, int cols) /* of numbers in [-1, 1] */
{
    struct block x = {NULL, cols, rows, cols};
    must(cudaMallocManaged(&x.at, (size_t)rows * cols * sizeof *x.at));
    for (size_t i = 0; i < (size_t)rows * cols; i++)
        x.at[i] = 2.0f * rand() / RAND_MAX - 1;
    return x;
}

int main(int count, char **words)
{
    int size[4] = {100, 132, 76, 2}; /* m, n, k and levels */
    for (int i = 1; i < count && i < 5; i++)
        size[i - 1] = atoi(words[i]);
    int m = size[0], n = size[1], k = size[2], levels = size[3], unit = 1 << (levels & 15);
    if (m < 1 || n < 1 || k < 1 || levels < 0 || m % unit || n % unit || k % unit)
        return fprintf(stderr, "m, n and k must be multiples of 2^levels, %d\n", unit), 2;
    struct block A = random_matrix(m, k), B = random_matrix(k, n), C = random_matrix(m, n);
    struct block work = random_matrix((m + k) / 3 + 1, max(k, n)); /* 1/4 + 1/16 + ... = 1/3 */
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    for (int run = 0; run < 2; run++) { /* the first one also moves the matrices to the GPU */
        must(cudaEventRecord(start));
        winograd(A, B, C, levels, work.at);
        must(cudaGetLastError()); /* could they start? */
        must(cudaEventRecord(stop));
        must(cudaEventSynchronize(stop)); /* did it run to its end? */
    }
#ifndef __SIMGPU__ /* a simulation's time says nothing about a GPU */
    float ms;
    must(cudaEventElapsedTime(&ms, start, stop));
    printf("%d x %d x %d: %.3f ms, %.0f GFLOP/s\n", m, n, k, ms, 2e-6 * m * n * k / ms);
#endif
    double leaf = k / unit, bound = ldexp(pow(18, levels) * (leaf * leaf + 6 * leaf), -24);
    count_wrong<<<dim3(up(n, 16), up(m, 16)), dim3(16, 16)>>>(A, B, C, bound);
    must(cudaDeviceSynchronize());
    printf("%d of %zu elements differ by more than %.1e\n", wrong, (size_t)m * n, bound);
    return wrong != 0;
}
