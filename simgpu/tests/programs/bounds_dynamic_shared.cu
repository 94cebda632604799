// The third launch value counts bytes, not elements.
__global__ void reverse(int *a, int n)
{
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x]; // planted: out-of-bounds-shared
    __syncthreads();
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
}

int main()
{
    int *a;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    reverse<<<1, 64, 64>>>(a, 64); // says: sizeof
    cudaDeviceSynchronize();
}
