__global__ void kernel(int *a, int n)
{
    a[threadIdx.x] = 7 / (n - (int)threadIdx.x); // planted: division-by-zero
}

int main()
{
    int *a;
    cudaMalloc(&a, 128);
    kernel<<<1, 32>>>(a, 5);
    cudaDeviceSynchronize();
}
