__constant__ float weights[8];

__global__ void kernel()
{
    weights[threadIdx.x] = 1; // planted: device-touches-host
    // says: Kernels only read __constant__ memory
}

int main()
{
    kernel<<<1, 8>>>();
    return cudaDeviceSynchronize() == cudaSuccess;
}
