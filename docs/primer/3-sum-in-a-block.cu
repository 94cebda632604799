/* Adds up 256 numbers in one block, whose threads pass their sums on through shared memory. */
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256 /* a power of two, so that it can be halved down to 1 */

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
__global__ void add_up(const int *x, int *sum)
{
    __shared__ int part[THREADS];
    int t = threadIdx.x;
    part[t] = x[t];
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads(); /* Exercise: put // at the beginning of this line. */
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        *sum = part[0];
}
/// [kernel]

int main(void)
{
    int numbers[THREADS], result, *x, *sum;
    for (int i = 0; i < THREADS; i++)
        numbers[i] = i + 1;
    CHECK(cudaMalloc(&x, sizeof numbers));
    CHECK(cudaMalloc(&sum, sizeof result));
    CHECK(cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    add_up<<<1, THREADS>>>(x, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(sum));
    printf("1 + 2 + ... + %d = %d\n", THREADS, result);
    return result != THREADS * (THREADS + 1) / 2;
}
