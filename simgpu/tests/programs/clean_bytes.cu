// Neighbouring bytes of one word belong to different threads, and to different blocks.
__global__ void mark(unsigned char *flags, short *pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    flags[i] = (unsigned char)i;
    flags[i]++;
    pairs[i] = flags[i];
}

int main()
{
    unsigned char *flags;
    short *pairs;
    cudaMalloc(&flags, 66);
    cudaMalloc(&pairs, 66 * sizeof(short));
    mark<<<22, 3>>>(flags, pairs);
    return cudaDeviceSynchronize();
}
