// sizeof of a pointer is 8, whatever it points to.
__global__ void twice(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * i; // planted: out-of-bounds-global
}

int main()
{
    int n = 64;
    float *x = (float *)malloc(n * sizeof(float)), *a;
    cudaMalloc(&a, sizeof x);
    twice<<<1, 64>>>(a, n); // says: as large as a pointer
    cudaDeviceSynchronize();
    free(x);
}
