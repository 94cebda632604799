// The kernel writes half of the result; the host copies all of it.
__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
}

int main()
{
    float host[256], *a;
    cudaMalloc(&a, sizeof host);
    fill<<<1, 128>>>(a, 256);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost); // planted: uninitialised-global
}
