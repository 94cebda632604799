// A function fills an array of its caller's, and does not know how long it is.
__device__ __attribute__((noinline)) void fill(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i; // planted: out-of-bounds-array
    // says: writes 4 bytes beyond its own variables: beside an array of its own
}

__global__ void kernel(int *out, int n)
{
    int own[8];
    fill(own, n);
    out[threadIdx.x] = own[threadIdx.x % 8];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out, 100000);
    return cudaDeviceSynchronize() == cudaSuccess;
}
