// The grid is rounded down. That may be meant, so it is no fault; but it is told.
// says: clean_part_copied.cu:15: note: cudaMemcpy copies 4000 bytes of device memory to the host, of which the last 928 were never written
__global__ void square(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i * i;
}

int main()
{
    int host[1000], *a;
    cudaMalloc(&a, sizeof host);
    square<<<1000 / 256, 256>>>(a, 1000);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, a, 768 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
