// expect: simgpu: delete\[\] of objects that have a destructor is not simulated in kernels
#include <cuda_runtime.h>

struct counted {
    int *count;
    __device__ ~counted() { ++*count; }
};

static __global__ void make()
{
    counted *all = new counted[4];
    delete[] all;
}

void launch()
{
    make<<<1, 1>>>();
}
