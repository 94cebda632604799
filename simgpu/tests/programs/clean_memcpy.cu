// memcpy, memmove and memset in kernels, also at odd addresses.
struct five {
    char c[5];
};

__global__ void fill(five *out, char *bytes, int *odd)
{
    five mine;
    memset(&mine, threadIdx.x, sizeof mine);
    memcpy(&out[threadIdx.x], &mine, sizeof mine);
    std::memcpy(bytes + 1 + 7 * threadIdx.x, "sixsix", 6);
    memmove(bytes + 3 + 7 * threadIdx.x, bytes + 1 + 7 * threadIdx.x, 4);
    int length = 4;
    memcpy(&odd[threadIdx.x], bytes + 1 + 7 * threadIdx.x, length);
}

int main()
{
    five *out, host[32];
    char *bytes;
    int *odd;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&bytes, 8 * 32);
    cudaMalloc(&odd, 4 * 32);
    fill<<<1, 32>>>(out, bytes, odd);
    memset(host, 1, sizeof host);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 5; j++)
            if (host[i].c[j] != i)
                return 2;
    return cudaDeviceSynchronize() != cudaSuccess;
}
