// Thread 0 prepares a value in global memory that all threads of the block use.
__global__ void mean(const float *a, float *result, float *out, int n)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i];
        *result = sum / n; // planted: global-race
    }
    out[threadIdx.x] = a[threadIdx.x] - *result;
}

int main()
{
    float *a, *result, *out;
    cudaMalloc(&a, 256);
    cudaMalloc(&result, 4);
    cudaMalloc(&out, 256);
    cudaMemset(a, 0, 256);
    cudaMemset(result, 0, 4);
    mean<<<1, 64>>>(a, result, out, 64); // says: Put a barrier after line 8, before line 10
    cudaDeviceSynchronize();
}
