// options: --limit 1
// i never grows.
__global__ void kernel(int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n;) // planted: endless-loop
        sum += a[i];
    a[0] = sum;
}

int main()
{
    int *a;
    cudaMalloc(&a, 400);
    cudaMemset(a, 0, 400);
    kernel<<<1, 32>>>(a, 100);
    cudaDeviceSynchronize();
}
