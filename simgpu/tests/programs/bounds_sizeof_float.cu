// Room for floats, used for doubles.
__global__ void fill(double *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 1; // planted: out-of-bounds-global
}

int main()
{
    double *a;
    int n = 100;
    cudaMalloc(&a, n * sizeof(float));
    fill<<<1, 128>>>(a, n); // says: multiply by the sizeof of its own type
    cudaDeviceSynchronize();
}
