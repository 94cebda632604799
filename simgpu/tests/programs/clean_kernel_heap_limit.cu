// The heap of kernels is full at cudaLimitMallocHeapSize, and free again after free().
__global__ void take(size_t bytes, int *got)
{
    void *memory = malloc(bytes);
    *got = memory != nullptr;
    free(memory);
}

static int can_take(size_t bytes)
{
    int *got, host;
    cudaMalloc(&got, sizeof *got);
    take<<<1, 1>>>(bytes, got);
    cudaMemcpy(&host, got, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(got);
    return host;
}

int main()
{
    size_t limit;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    if (limit != 8 << 20 || !can_take(6 << 20) || !can_take(6 << 20) || can_take(12 << 20))
        return 2;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    return can_take(12 << 20) ? 0 : 3;
}
