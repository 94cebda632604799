// The first block sets the sum to 0, adds to it, and then lets the others do so.
__global__ void count(int *sum, volatile int *ready)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            *sum = 0;
            atomicAdd(sum, 1);
            __threadfence();
            *ready = 1;
        } else {
            while (!*ready)
                ;
            __threadfence();
        }
    }
    __syncthreads();
    if (threadIdx.x == 1) atomicAdd(sum, 1);
}

int main()
{
    int *m, result;
    cudaMalloc(&m, 2 * sizeof *m);
    cudaMemset(m, 0, 2 * sizeof *m);
    count<<<8, 32>>>(m, m + 1);
    cudaMemcpy(&result, m, sizeof result, cudaMemcpyDeviceToHost);
    return result != 9;
}
