/* Twelve threads, each of which writes its own number into an array. */
#include <stdio.h>
#include <stdlib.h>

/// [check]
/* Stops the program with the line of the call that failed, and why it failed. */
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t status, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
}
/// [check]

/// [kernel]
__global__ void hello(int *number)
{
    /* Exercise: omit blockIdx.x * blockDim.x. Which threads then write the same element? */
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    number[i] = i;
}
/// [kernel]

/// [host]
int main(void)
{
    const int blocks = 3, threads = 4;
    int on_host[blocks * threads], *on_device;
    CHECK(cudaMalloc(&on_device, sizeof on_host));
    hello<<<blocks, threads>>>(on_device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(on_host, on_device, sizeof on_host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(on_device));
    for (int i = 0; i < blocks * threads; i++)
        printf("element %d was written by thread %d\n", i, on_host[i]);
    return 0;
}
/// [host]
