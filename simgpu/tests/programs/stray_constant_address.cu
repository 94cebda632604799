__device__ void out_of_bounds()
{
    *(int *)0x87654320 = 42; // planted: out-of-bounds-global
}

__global__ void kernel()
{
    out_of_bounds();
}

int main()
{
    kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
}
