// Each block waits for the one before it.
__global__ void chain(volatile int *turn, int *sum)
{
    if (threadIdx.x == 0) {
        while (*turn != (int)blockIdx.x)
            ;
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        *turn = blockIdx.x + 1;
    }
}

int main()
{
    int *turn, *sum, result;
    cudaMalloc(&turn, 4);
    cudaMalloc(&sum, 4);
    cudaMemset(turn, 0, 4);
    cudaMemset(sum, 0, 4);
    chain<<<10, 32>>>(turn, sum);
    cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
    return result != 45;
}
