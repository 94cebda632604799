// says: n elements need .n . threads - 1. / threads blocks
__global__ void kernel(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 1;
}

int main()
{
    float *a;
    int n = 100;
    cudaMalloc(&a, n * sizeof(float));
    kernel<<<n / 256, 256>>>(a, n); // planted: launch-limits
    return cudaGetLastError();
}
