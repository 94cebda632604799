/* SPDX-License-Identifier: MIT */
/** @file alone.cu
 * One level of Strassen on a GPU, to be pasted into other programs: strassen() and what is
 * above it. `nvcc -O3 alone.cu && ./a.out 8000 9000 10000` multiplies 8000 x 10000 by 10000 x
 * 9000; without a GPU: `./ladder sim steps/12-strassen-one-level/alone.cu`. Exit status: 0
 * right within the error bound, 1 wrong or a call failed, 2 bad sizes.
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

/** x + sign * y, or x alone. */
struct sum {
    struct block x;
    float sign;
    struct block y;
    __device__ float get(int i, int j) const { return x.get(i, j) + sign * y.get(i, j); }
};

enum { EACH = 8, TILE = 16 * EACH, STEP = 16 }; /* a tile of C, and of k at a time */

/* M = a * b, which is added to c.x and, times c.sign, to c.y. The sums of a and b are made
   where their tiles are loaded. A block of 16 x 16 threads makes a tile of M, each thread 8 x 8
   elements. */
__global__ void product_kernel(struct sum a, struct sum b, struct sum c)
{
    __shared__ float as[STEP][TILE + 1], bs[STEP][TILE]; /* + 1: no bank conflicts */
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE, ty = threadIdx.y, tx = threadIdx.x;
    float m[EACH][EACH] = {};
    for (int first = 0; first < a.x.cols; first += STEP) {
        for (int i = 0; i < EACH; i++) {
            as[tx][ty + 16 * i] = a.get(top + ty + 16 * i, first + tx);
            bs[ty][tx + 16 * i] = b.get(first + ty, left + tx + 16 * i);
        }
        __syncthreads(); /* both tiles are complete */
        for (int l = 0; l < STEP; l++)
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    m[i][j] += as[l][ty + 16 * i] * bs[l][tx + 16 * j];
        __syncthreads(); /* nobody reads them any longer */
    }
    for (int x = 0; x < EACH * EACH; x++) {
        int i = top + ty + x / EACH * 16, j = left + tx + x % EACH * 16;
        if (c.x.has(i, j))
            c.x.at[(size_t)i * c.x.ld + j] += m[x / EACH][x % EACH];
        if (c.y.has(i, j))
            c.y.at[(size_t)i * c.y.ld + j] += c.sign * m[x / EACH][x % EACH];
    }
}

static void product(struct sum a, struct sum b, struct sum c)
{
    dim3 tiles((b.x.cols + TILE - 1) / TILE, (a.x.rows + TILE - 1) / TILE);
    product_kernel<<<tiles, dim3(16, 16)>>>(a, b, c);
    must(cudaGetLastError()); /* could it start? */
}

/* The quadrants of the first row or column are the larger ones, by one at most. */
static struct block quadrant(struct block x, int row, int col)
{
    int down = (x.rows + 1) / 2, right = (x.cols + 1) / 2;
    return {x.at + (size_t)row * down * x.ld + col * right, x.ld, row ? x.rows - down : down,
            col ? x.cols - right : right};
}

/// [strassen]
/** C = A * B by seven products instead of eight. */
void strassen(struct block A, struct block B, struct block C)
{
    struct block A11 = quadrant(A, 0, 0), A12 = quadrant(A, 0, 1), A21 = quadrant(A, 1, 0);
    struct block B11 = quadrant(B, 0, 0), B12 = quadrant(B, 0, 1), B21 = quadrant(B, 1, 0);
    struct block C11 = quadrant(C, 0, 0), C12 = quadrant(C, 0, 1), C21 = quadrant(C, 1, 0);
    struct block A22 = quadrant(A, 1, 1), B22 = quadrant(B, 1, 1), C22 = quadrant(C, 1, 1);
    must(cudaMemset2D(C.at, C.ld * sizeof *C.at, 0, C.cols * sizeof *C.at, C.rows));
    product({A11, 1, A22}, {B11, 1, B22}, {C11, 1, C22}); /* M1 */
    product({A21, 1, A22}, {B11}, {C21, -1, C22});        /* M2 */
    product({A11}, {B12, -1, B22}, {C12, 1, C22});        /* M3 */
    product({A22}, {B21, -1, B11}, {C11, 1, C21});        /* M4 */
    product({A11, 1, A12}, {B22}, {C12, -1, C11});        /* M5 */
    product({A21, -1, A11}, {B11, 1, B12}, {C22});        /* M6 */
    product({A12, -1, A22}, {B21, 1, B22}, {C11});        /* M7 */
}
/// [strassen]

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
    int m = count > 1 ? atoi(words[1]) : 101, n = count > 2 ? atoi(words[2]) : 131;
    int k = count > 3 ? atoi(words[3]) : 75;
    if (m < 2 || n < 2 || k < 2 || count > 4)
        return fprintf(stderr, "usage: %s [M [N [K]]], whole numbers from 2\n", words[0]), 2;
    struct block A = random_matrix(m, k), B = random_matrix(k, n), C = random_matrix(m, n);
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    for (int run = 0; run < 2; run++) { /* the first one also moves the matrices to the GPU */
        must(cudaEventRecord(start));
        strassen(A, B, C);
        must(cudaEventRecord(stop));
        must(cudaEventSynchronize(stop)); /* did it run to its end? */
    }
#ifndef __SIMGPU__ /* a simulation's time says nothing about a GPU */
    float ms;
    must(cudaEventElapsedTime(&ms, start, stop));
    printf("%d x %d x %d: %.3f ms, %.0f GFLOP/s\n", m, n, k, ms, 2e-6 * m * n * k / ms);
#endif
    double half = (k + 1) / 2; /* the bound: Higham (2002), section 23.2.2, for elements to 1 */
    double bound = ldexp(12 * (half * half + 5 * half), -24);
    count_wrong<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(A, B, C, bound);
    must(cudaDeviceSynchronize());
    printf("%d of %zu elements differ by more than %.1e\n", wrong, (size_t)m * n, bound);
    return wrong != 0;
}
