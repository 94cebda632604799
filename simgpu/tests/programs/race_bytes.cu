// Flags of one byte; thread i clears its own and sets the next one's.
__global__ void mark(unsigned char *flags, int n)
{
    int i = threadIdx.x;
    flags[i] = 0; // planted: global-race
    flags[(i + 1) % n] = (unsigned char)i;
}

int main()
{
    unsigned char *flags;
    cudaMalloc(&flags, 64);
    cudaMemset(flags, 9, 64);
    mark<<<1, 64>>>(flags, 64);
    cudaDeviceSynchronize();
}
