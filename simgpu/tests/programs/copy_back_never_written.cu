// The kernel writes b; the host copies c.
__global__ void fill(float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = i;
}

int main()
{
    float host[256], *b, *c;
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof host);
    fill<<<1, 256>>>(b, c, 256);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost); // planted: uninitialised-global
}
