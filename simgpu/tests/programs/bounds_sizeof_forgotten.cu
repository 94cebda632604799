// cudaMalloc takes bytes.
__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 0; // planted: out-of-bounds-global
}

int main()
{
    float *a;
    int n = 1024;
    cudaMalloc(&a, n);
    fill<<<4, 256>>>(a, n); // says: takes bytes
    cudaDeviceSynchronize();
}
