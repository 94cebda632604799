// The memset is one byte short.
__global__ void twice(const int *a, int *b, int n)
{
    int i = threadIdx.x;
    if (i < n)
        b[i] = a[i] * 2; // planted: uninitialised-global
}

int main()
{
    const int n = 123;
    int *a, *b; // says: reads 4 bytes, a.122. of 123
    cudaMalloc(&a, n * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int) - 1);
    cudaMalloc(&b, n * sizeof(int));
    twice<<<1, n>>>(a, b, n);
    cudaDeviceSynchronize();
}
