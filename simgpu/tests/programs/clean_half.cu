#include <cuda_fp16.h>
__global__ void scale(const __half *a, __half2 *pairs, float *out)
{
    int i = threadIdx.x;
    out[i] = __half2float(__hmul(a[i], __float2half(2.0f)));
    pairs[i] = __halves2half2(a[i], a[31 - i]);
}

int main()
{
    __half host[32], *a;
    __half2 *pairs;
    float *out, result[32];
    for (int i = 0; i < 32; i++)
        host[i] = __float2half((float)i);
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&pairs, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(a, pairs, out);
    cudaMemcpy(result, out, 128, cudaMemcpyDeviceToHost);
    return result[7] != 14;
}
