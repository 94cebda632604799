__global__ void reverse(float *a, int n)
{
    __shared__ float s[64];
    if (threadIdx.x >= n)
        return;
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads(); // planted: barrier-divergence
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
}

int main()
{
    float *a;
    cudaMalloc(&a, 64 * sizeof(float));
    cudaMemset(a, 0, 64 * sizeof(float));
    reverse<<<1, 64>>>(a, 50);
    cudaDeviceSynchronize();
}
