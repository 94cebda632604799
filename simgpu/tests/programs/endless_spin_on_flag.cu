// options: --limit 1
// Nobody ever sets the flag.
__global__ void wait(volatile int *flag, int *out)
{
    while (*flag == 0) // planted: endless-loop
        ;
    out[threadIdx.x] = 1;
}

int main()
{
    int *flag, *out;
    cudaMalloc(&flag, 4);
    cudaMalloc(&out, 128);
    cudaMemset(flag, 0, 4);
    wait<<<1, 32>>>(flag, out);
    cudaDeviceSynchronize();
}
