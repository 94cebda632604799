__global__ void kernel(float *a)
{
    __shared__ double tile[128][64]; // planted: launch-limits
    tile[threadIdx.x][0] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[127 - threadIdx.x][0];
}

int main()
{
    float *a;
    cudaMalloc(&a, 512);
    cudaMemset(a, 0, 512);
    kernel<<<1, 128>>>(a); // says: smaller tiles
    cudaDeviceSynchronize();
}
