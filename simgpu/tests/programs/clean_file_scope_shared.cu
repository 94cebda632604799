// Shared memory declared outside of the kernel, static and dynamic.
__shared__ float tile[64];
__shared__ int count;
extern __shared__ int more[];

__global__ void kernel(const float *a, float *out)
{
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    tile[t] = a[t];
    more[t] = t;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[blockIdx.x * 64 + t] = tile[63 - t] + more[(t + 1) % 64] + count;
}

int main()
{
    float host[64], result[256], *a, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<<<4, 64, 64 * sizeof(int)>>>(a, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        if (result[i] != 63 - i % 64 + (i + 1) % 64 + 64)
            return 1;
    return 0;
}
