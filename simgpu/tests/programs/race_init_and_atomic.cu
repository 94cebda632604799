// Thread 0 sets the counter to 0, and nobody waits until that is done.
__global__ void count(int *out)
{
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0; // planted: shared-race
    atomicAdd(&n, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = n; // says: Put a barrier after line 6, before line 7|One access is atomic and the other is not
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    count<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
