// One block takes the lock without a fence behind it: it may see an old value.
__device__ int lock;

__global__ void locked(volatile int *counter)
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    if (blockIdx.x != 0)
        __threadfence();
    counter[0] += 1; // planted: global-race
    __threadfence(); // says: only together with fences
    atomicExch(&lock, 0);
}

int main()
{
    int *counter;
    cudaMalloc(&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    locked<<<2, 1>>>(counter);
    cudaDeviceSynchronize();
}
