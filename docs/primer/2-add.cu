/* Adds two arrays of 1000 numbers, with one thread for each element. */
#include <stdio.h>
#include <stdlib.h>

/* Stops the program with the line of the call that failed, and why it failed. */
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t status, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
}

/// [kernel]
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) /* Exercise: put // at the beginning of this line. */
        c[i] = a[i] + b[i];
}
/// [kernel]

int main(void)
{
    const int n = 1000, threads = 256;
    float x[n], y[n], *a, *b, *c;
    for (int i = 0; i < n; i++)
        x[i] = i, y[i] = 2 * i;
    /// [host]
    CHECK(cudaMalloc(&a, sizeof x));
    CHECK(cudaMalloc(&b, sizeof y));
    CHECK(cudaMalloc(&c, sizeof x));
    CHECK(cudaMemcpy(a, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, y, sizeof y, cudaMemcpyHostToDevice));
    int blocks = (n + threads - 1) / threads; /* rounded up: 4 blocks, 1024 threads */
    add<<<blocks, threads>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(x, c, sizeof x, cudaMemcpyDeviceToHost)); /* the sums replace x */
    /// [host]
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    printf("%d blocks, the last sum is %g\n", blocks, x[n - 1]);
    return x[n - 1] != 3 * (n - 1);
}
