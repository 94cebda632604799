__global__ void step(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float right = i + 32 < n ? a[i + 32] : 0;
    __syncthreads();
    a[i] = right; // planted: global-race
}

int main()
{
    float *a;
    cudaMalloc(&a, 128 * sizeof(float));
    cudaMemset(a, 0, 128 * sizeof(float));
    step<<<4, 32>>>(a, 128);
    cudaDeviceSynchronize();
}
