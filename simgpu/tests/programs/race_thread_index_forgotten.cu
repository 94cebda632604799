// Every row of threads writes the same elements.
__global__ void fill(int *a, int n)
{
    int col = threadIdx.x;
    a[col] = threadIdx.y; // planted: global-race
}

int main()
{
    int *a;
    cudaMalloc(&a, 64);
    fill<<<1, dim3(16, 16)>>>(a, 16); // says: Several threads write the same element
    cudaDeviceSynchronize();
}
