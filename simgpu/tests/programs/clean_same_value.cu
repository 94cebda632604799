// All threads that find something write the same flag: harmless.
__global__ void find(const int *a, int *found, int what)
{
    if (a[threadIdx.x] % 3 == what)
        *found = 1;
}

int main()
{
    int host[64], *a, *found;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&found, 4);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(found, 0, 4);
    find<<<1, 64>>>(a, found, 1);
    cudaDeviceSynchronize();
}
