// The same without the fence.
__device__ unsigned int done;

__global__ void sum(const int *a, int *parts, int *total)
{
    int s = 0;
    for (int i = 0; i < 64; i++)
        s += a[blockIdx.x * 64 + i];
    parts[blockIdx.x] = s; // planted: global-race
    if (atomicInc(&done, gridDim.x) == gridDim.x - 1) {
        int all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += parts[i];
        *total = all;
    }
}

int main()
{
    int *a, *parts, *total;
    cudaMalloc(&a, 4096);
    cudaMalloc(&parts, 64);
    cudaMalloc(&total, 4);
    cudaMemset(a, 0, 4096);
    sum<<<16, 1>>>(a, parts, total);
    cudaDeviceSynchronize();
}
