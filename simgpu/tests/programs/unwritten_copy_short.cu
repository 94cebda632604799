// The copy forgets sizeof: three quarters of a were never written.
__global__ void scale(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 2 * a[i]; // planted: uninitialised-global
}

int main()
{
    const int n = 256;
    float host[n] = {0}, *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpy(a, host, n, cudaMemcpyHostToDevice);
    scale<<<1, n>>>(a, b, n); // says: copy_short.cu:15 fills only the first 256 of 1024
    cudaDeviceSynchronize();
}
