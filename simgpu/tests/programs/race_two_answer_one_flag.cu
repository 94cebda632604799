// Two warps wait for a flag. Each of them thinks that it alone may set it to the next value.
__global__ void answer(volatile int *flag)
{
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 64) {
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x % 32 == 0) {
        while (*flag != 1)
            ;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0 && warp < 2) {
        __threadfence();
        *flag = warp + 2; // planted: global-race
    }
}

int main()
{
    int *flag;
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    answer<<<1, 96>>>(flag);
    return cudaDeviceSynchronize() != cudaSuccess;
}
