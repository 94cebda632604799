// Where the matrix ends, the tile keeps what was there.
__global__ void sum(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = a[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0;
        for (int j = 0; j < 64; j++)
            s += tile[j]; // planted: uninitialised-shared
        out[blockIdx.x] = s;
    }
}

int main()
{
    float *a, *out;
    cudaMalloc(&a, 40 * sizeof(float));
    cudaMalloc(&out, 4);
    cudaMemset(a, 0, 40 * sizeof(float));
    sum<<<1, 64>>>(a, out, 40);
    cudaDeviceSynchronize();
}
