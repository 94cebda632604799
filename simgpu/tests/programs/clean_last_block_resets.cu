// The last block adds up and sets the counter back for the next launch.
__device__ unsigned count;

__global__ void sum(const float *in, volatile float *parts)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        float part = 0;
        for (int i = 0; i < 32; i++)
            part += in[blockIdx.x * 32 + i];
        parts[blockIdx.x] = part;
        __threadfence();
        last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            total += parts[i];
        parts[0] = total;
        count = 0;
    }
}

int main()
{
    float host[320], *in, *parts, result = 0;
    for (float &v : host)
        v = 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&parts, 10 * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 2; i++)
        sum<<<10, 32>>>(in, parts);
    cudaMemcpy(&result, parts, sizeof result, cudaMemcpyDeviceToHost);
    return result != 320;
}
