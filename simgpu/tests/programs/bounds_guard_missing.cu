// The last block reaches beyond the vector.
__global__ void add(const float *a, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = n; // planted: out-of-bounds-global
    if (i < n)
        c[i] += a[i];
}

int main()
{
    float *a, *c;
    cudaMalloc(&a, 1000 * sizeof(float));
    cudaMalloc(&c, 1000 * sizeof(float));
    cudaMemset(a, 0, 1000 * sizeof(float));
    add<<<4, 256>>>(a, c, 1000); // says: writes c.1000. of 1000
    return cudaDeviceSynchronize() != cudaSuccess;
}
