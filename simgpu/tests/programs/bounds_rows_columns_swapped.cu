// Row and column are exchanged in a matrix that is not square.
__global__ void scale(float *a, int m, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n)
        a[col * m + m * n - row * n] = 1; // planted: out-of-bounds-global
}

int main()
{
    float *a;
    cudaMalloc(&a, 28 * 24 * sizeof(float));
    scale<<<dim3(2, 2), dim3(16, 16)>>>(a, 28, 24); // says: launched at .*bounds_rows_columns_swapped.cu:14 with 2 x 2 blocks of 16 x 16 threads
    cudaDeviceSynchronize();
}
