__device__ int histogram[16];

__global__ void count(const int *values)
{
    atomicAdd(&histogram[values[threadIdx.x]], 1); // planted: out-of-bounds-global
}

int main()
{
    int host[32], *values;
    for (int i = 0; i < 32; i++)
        host[i] = i * 100000;
    cudaMalloc(&values, sizeof host);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, 32>>>(values);
    cudaDeviceSynchronize();
}
