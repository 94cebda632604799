__device__ int counter;

__global__ void count()
{
    atomicAdd(&counter, 1);
}

int main()
{
    counter = 0; // planted: host-touches-device
    count<<<1, 32>>>();
    cudaDeviceSynchronize();
}
