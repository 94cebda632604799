// In place, each thread reads its neighbour's element: within one block, in global memory.
__global__ void smooth(float *a, int n)
{
    int i = threadIdx.x;
    float left = i > 0 ? a[i - 1] : 0;
    a[i] = (left + a[i]) / 2; // planted: global-race
}

int main()
{
    float host[64], *a;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    smooth<<<1, 64>>>(a, 64); // says: Put a barrier after line 5, before line 6
    cudaDeviceSynchronize();
}
