// 50000 * 50000 does not fit into an int.
__global__ void touch(float *a, int row, int n)
{
    a[row * n] = 1; // planted: out-of-bounds-global
}

int main()
{
    float *a;
    cudaMalloc(&a, 1 << 20);
    touch<<<1, 1>>>(a, 50000, 50000); // says: overflows
    cudaDeviceSynchronize();
}
