__global__ void kernel(int *a)
{
    a[threadIdx.x] = 1; // planted: out-of-bounds-global
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 100 * sizeof(int));
    kernel<<<1, 128>>>(a);
    cudaDeviceSynchronize();
}
