// The same in one line.
__global__ void shift(int *a, int n)
{
    int i = threadIdx.x;
    if (i + 1 < n)
        a[i] = a[i + 1]; // planted: global-race
}

int main()
{
    int host[64], *a;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    shift<<<1, 64>>>(a, 64); // says: read into a variable
    cudaDeviceSynchronize();
}
