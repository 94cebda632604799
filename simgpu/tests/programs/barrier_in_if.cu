// Only some threads of the block come to the barrier.
__global__ void sum(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = a[i];
        __syncthreads(); // planted: barrier-divergence
        out[i] = tile[63 - threadIdx.x];
    }
}

int main()
{
    float *a, *out;
    cudaMalloc(&a, 100 * sizeof(float));
    cudaMalloc(&out, 100 * sizeof(float));
    cudaMemset(a, 0, 100 * sizeof(float));
    sum<<<2, 64>>>(a, out, 100);
    cudaDeviceSynchronize();
}
