__global__ void sum(const float *a, float *total)
{
    float v = a[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    __shared__ float parts[8];
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 8) {
        v = parts[threadIdx.x];
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_xor_sync(0xff, v, d);
        if (threadIdx.x == 0)
            atomicAdd(total, v);
    }
}

int main()
{
    float host[1024], *a, *total, result;
    for (int i = 0; i < 1024; i++)
        host[i] = 1;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&total, 4);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, 4);
    sum<<<4, 256>>>(a, total);
    cudaMemcpy(&result, total, 4, cudaMemcpyDeviceToHost);
    return result != 1024;
}
