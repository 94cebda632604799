__managed__ int total = 5;
__device__ __managed__ float table[8];

__global__ void kernel(int *a, float *pinned, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] *= 2;
    atomicAdd(&total, 1);
    if (i < 8)
        table[i] = pinned[i] = i;
}

int main()
{
    int *a;
    float *pinned;
    cudaMallocManaged(&a, 100 * sizeof(int));
    cudaMallocHost(&pinned, 8 * sizeof(float));
    for (int i = 0; i < 100; i++)
        a[i] = i;
    kernel<<<1, 128>>>(a, pinned, 100);
    cudaDeviceSynchronize();
    bool right = a[99] == 198 && total == 133 && table[7] == 7 && pinned[3] == 3;
    cudaFree(a);
    cudaFreeHost(pinned);
    return !right;
}
