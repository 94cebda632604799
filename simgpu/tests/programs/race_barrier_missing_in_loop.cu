// The barrier at the end of the loop is missing: a fast thread refills the tile too early.
__global__ void dot(const float *a, float *out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = a[t + threadIdx.x]; // planted: shared-race
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += tile[i] * (threadIdx.x + 1);
    }
    out[threadIdx.x] = sum;
}

int main()
{
    float *a, *out;
    cudaMalloc(&a, 256 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(a, 0, 256 * sizeof(float));
    dot<<<1, 64>>>(a, out, 256); // says: after line 10, before line 7 is reached again
    cudaDeviceSynchronize();
}
