__global__ void histogram(const unsigned char *text, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[text[i]]++; // planted: global-race
}

int main()
{
    unsigned char host[512];
    for (int i = 0; i < 512; i++)
        host[i] = (unsigned char)(i * 7 % 31);
    unsigned char *text;
    int *bins;
    cudaMalloc(&text, 512);
    cudaMalloc(&bins, 256 * sizeof(int));
    cudaMemcpy(text, host, 512, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 256 * sizeof(int));
    histogram<<<4, 128>>>(text, bins, 512);
    cudaDeviceSynchronize();
}
