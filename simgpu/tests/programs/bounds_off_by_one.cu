// <= in place of <.
__global__ void sum_rows(const float *a, float *sums, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float sum = 0;
    for (int j = 0; j <= n; j++)
        sum += a[row * n + j]; // planted: out-of-bounds-global
    sums[row] = sum;
}

int main()
{
    float *a, *sums;
    cudaMalloc(&a, 20 * 30 * sizeof(float));
    cudaMalloc(&sums, 20 * sizeof(float));
    cudaMemset(a, 0, 20 * 30 * sizeof(float));
    sum_rows<<<1, 32>>>(a, sums, 20, 30);
    cudaDeviceSynchronize();
}
