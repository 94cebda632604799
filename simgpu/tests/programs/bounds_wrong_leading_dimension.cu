// a has k columns, not n.
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[row * n + l] * b[l * n + col]; // planted: out-of-bounds-global
    c[row * n + col] = sum;
}

int main()
{
    const int m = 32, n = 48, k = 24;
    float *a, *b, *c;
    cudaMalloc(&a, m * k * sizeof(float));
    cudaMalloc(&b, k * n * sizeof(float));
    cudaMalloc(&c, m * n * sizeof(float));
    cudaMemset(a, 0, m * k * sizeof(float));
    cudaMemset(b, 0, k * n * sizeof(float));
    product<<<dim3(3, 2), dim3(16, 16)>>>(a, b, c, m, n, k); // says: reads a.[0-9]+...[0-9]+. of 32 x 24
    cudaDeviceSynchronize();
}
