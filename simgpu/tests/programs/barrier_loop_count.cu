// The threads make a different number of rounds.
__global__ void rounds(int *a)
{
    for (int i = 0; i <= threadIdx.x / 32; i++) {
        a[threadIdx.x] = i;
        __syncthreads(); // planted: barrier-divergence
    }
}

int main()
{
    int *a;
    cudaMalloc(&a, 256);
    rounds<<<1, 64>>>(a);
    cudaDeviceSynchronize();
}
