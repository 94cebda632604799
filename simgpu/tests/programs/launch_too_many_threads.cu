// A program that checks for errors still hears why.
__global__ void kernel(float *a)
{
    a[0] = 1;
}

int main()
{
    float *a;
    cudaMalloc(&a, 4);
    kernel<<<1, dim3(48, 48)>>>(a); // planted: launch-limits
    if (cudaGetLastError() != cudaSuccess)
        exit(7); // says: 2304
}
