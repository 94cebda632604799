// Two branches, two barriers.
__global__ void both(float *a)
{
    if (threadIdx.x < 32) {
        a[threadIdx.x] = 1;
        __syncthreads(); // planted: barrier-divergence
    } else {
        a[threadIdx.x] = 2;
        __syncthreads();
    }
}

int main()
{
    float *a;
    cudaMalloc(&a, 256);
    both<<<1, 64>>>(a);
    cudaDeviceSynchronize();
}
