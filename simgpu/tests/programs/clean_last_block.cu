// The last block to finish adds up what the others left: fences and a counter order them.
__device__ unsigned int done;

__global__ void sum(const int *a, volatile int *parts, int *total)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        parts[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += parts[i];
        *total = all;
    }
}

int main()
{
    int host[1024], *a, *parts, *total, result;
    for (int i = 0; i < 1024; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&parts, 64);
    cudaMalloc(&total, 4);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<16, 64>>>(a, parts, total);
    cudaMemcpy(&result, total, 4, cudaMemcpyDeviceToHost);
    return result != 1023 * 512;
}
