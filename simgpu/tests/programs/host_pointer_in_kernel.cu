#include <vector>
__global__ void touch(float *a)
{
    a[threadIdx.x] = 1; // planted: device-touches-host
}

int main()
{
    std::vector<float> host(32);
    touch<<<1, 32>>>(host.data());
    cudaDeviceSynchronize();
}
