// The memset counts elements.
__global__ void increment(int *v)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    v[i] += i; // planted: uninitialised-global
}

int main()
{
    int *v;
    cudaMalloc(&v, 64 * sizeof(int));
    cudaMemset(v, 0, 64);
    increment<<<2, 32>>>(v); // says: v.16. of 64
    cudaDeviceSynchronize();
}
