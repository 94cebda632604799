__global__ void kernel(int *sum)
{
    __shared__ int s[32];
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
    if (threadIdx.x <= 16) {
        s[threadIdx.x] = threadIdx.x;
        __syncwarp(mask); // planted: barrier-divergence
        if (threadIdx.x == 0)
            *sum = s[1] + s[15];
    }
}

int main()
{
    int *sum;
    cudaMalloc(&sum, 4);
    kernel<<<1, 32>>>(sum); // says: its own lane 16 is not
    cudaDeviceSynchronize();
}
