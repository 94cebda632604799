__global__ void kernel(float *a)
{
    extern __shared__ float s[];
    s[threadIdx.x] = a[threadIdx.x];
}

int main()
{
    float *a;
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    kernel<<<1, 32, 100000>>>(a); // planted: launch-limits
    cudaDeviceSynchronize(); // says: cudaFuncSetAttribute
}
