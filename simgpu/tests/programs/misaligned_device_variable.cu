#include <iostream>
__device__ int x;

__global__ void unaligned()
{
    *(int *)((char *)&x + 1) = 42; // planted: misaligned
}

int main()
{
    unaligned<<<1, 1>>>();
    std::cout << cudaGetErrorString(cudaDeviceSynchronize()) << std::endl;
}
