__global__ void touch(float *a)
{
    a[threadIdx.x] = 1; // planted: out-of-bounds-global
}

int main()
{
    float *a;
    cudaMalloc(&a, 128);
    cudaFree(a);
    touch<<<1, 32>>>(a); // says: Free memory behind the last kernel
    cudaDeviceSynchronize();
}
