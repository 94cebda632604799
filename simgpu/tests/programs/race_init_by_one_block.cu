// The first block sets the sum to 0; the others may have added to it by then.
__global__ void count(int *sum)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = 0; // planted: global-race
    __syncthreads();
    atomicAdd(sum, 1); // says: One access is atomic and the other is not
}

int main()
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    count<<<8, 32>>>(sum);
    return cudaDeviceSynchronize() != cudaSuccess;
}
