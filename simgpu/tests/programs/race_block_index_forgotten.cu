__global__ void fill(float *a)
{
    a[threadIdx.x] = blockIdx.x; // planted: global-race
}

int main()
{
    float *a;
    cudaMalloc(&a, 128);
    fill<<<4, 32>>>(a);
    cudaDeviceSynchronize();
}
