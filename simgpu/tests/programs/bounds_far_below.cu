// A negative index taken as unsigned goes gigabytes beyond the end.
__global__ void touch(float *a, unsigned i)
{
    a[i - 1] = 1; // planted: out-of-bounds-global
}

int main()
{
    float *a;
    cudaMalloc(&a, 4096);
    touch<<<1, 1>>>(a, 0); // says: overflow
    cudaDeviceSynchronize();
}
