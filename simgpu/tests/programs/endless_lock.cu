// options: --limit 1
// The lock is taken and never given back.
__global__ void locked(int *lock, int *counter)
{
    while (atomicCAS(lock, 0, 1) != 0) // planted: endless-loop
        ;
    *counter += 1;
    __threadfence();
}

int main()
{
    int *lock, *counter;
    cudaMalloc(&lock, 4);
    cudaMalloc(&counter, 4);
    cudaMemset(lock, 0, 4);
    cudaMemset(counter, 0, 4);
    locked<<<2, 1>>>(lock, counter);
    cudaDeviceSynchronize();
}
