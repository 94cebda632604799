template <int N> __global__ void kernel(float *a)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

int main()
{
    float *a, first;
    cudaMalloc(&a, 128);
    cudaFuncSetAttribute(kernel<25000>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    kernel<25000><<<1, 32, 100000>>>(a);
    cudaMemcpy(&first, a, 4, cudaMemcpyDeviceToHost);
    return first != 24999;
}
