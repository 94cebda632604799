#include <assert.h>
__global__ void kernel(int n)
{
    assert(threadIdx.x < n); // planted: assertion
}

int main()
{
    kernel<<<1, 32>>>(20); // says: thread .20,0,0.
    return cudaDeviceSynchronize() != cudaErrorAssert;
}
