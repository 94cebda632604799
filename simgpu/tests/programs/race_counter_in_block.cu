// A counter without an atomic, one block.
__global__ void count(const int *a, int *counter)
{
    if (a[threadIdx.x] % 2 == 0)
        (*counter)++; // planted: global-race
}

int main()
{
    int host[64], *a, *counter;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&counter, 4);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(counter, 0, 4);
    count<<<1, 64>>>(a, counter); // says: use atomicAdd
    cudaDeviceSynchronize();
}
