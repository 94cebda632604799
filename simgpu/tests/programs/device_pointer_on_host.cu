__global__ void fill(float *a)
{
    a[threadIdx.x] = 1;
}

int main()
{
    float *a;
    cudaMalloc(&a, 128);
    fill<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    return a[3] != 1; // planted: host-touches-device
}
