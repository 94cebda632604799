// The guard reads without an atomic what other threads change by one.
__global__ void maximum(const int *a, int *max)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > *max)
        atomicMax(max, a[i]); // planted: global-race
}

int main()
{
    int host[256], *a, *max;
    for (int i = 0; i < 256; i++)
        host[i] = i * 37 % 101;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&max, 4);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(max, 0, 4);
    maximum<<<4, 64>>>(a, max); // says: One access is atomic and the other is not
    cudaDeviceSynchronize();
}
