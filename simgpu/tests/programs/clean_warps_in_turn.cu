// The warps of a block take turns; all of them wait at once.
__global__ void chain(volatile int *turn, int *sum)
{
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        while (*turn != warp)
            ;
        __threadfence();
        *sum += warp;
        __threadfence();
        *turn = warp + 1;
    }
}
int main()
{
    int *turn, *sum, result;
    cudaMalloc(&turn, 4);
    cudaMalloc(&sum, 4);
    cudaMemset(turn, 0, 4);
    cudaMemset(sum, 0, 4);
    chain<<<1, 320>>>(turn, sum);
    cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
    return result != 45;
}
