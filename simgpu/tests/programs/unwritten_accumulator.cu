// c += in place of c =: the first addition reads what nobody wrote.
__global__ void product(const float *a, const float *b, float *c, int n)
{
    int row = threadIdx.y, col = threadIdx.x;
    for (int k = 0; k < n; k++)
        c[row * n + col] += a[row * n + k] * b[k * n + col]; // planted: uninitialised-global
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 1024);
    cudaMalloc(&b, 1024);
    cudaMalloc(&c, 1024);
    cudaMemset(a, 0, 1024);
    cudaMemset(b, 0, 1024);
    product<<<1, dim3(16, 16)>>>(a, b, c, 16); // says: of 16 x 16
    cudaDeviceSynchronize();
}
