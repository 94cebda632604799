// All blocks write words that nobody has written before, at the same moment: that is a race and nothing else.
// The blocks wait for each other before each of many words.
__global__ void write_together(int *together, float *a, int n)
{
    for (int i = 0; i < n; i++) {
        atomicAdd(together, 1);
        while (atomicAdd(together, 0) < (int)gridDim.x * (i + 1))
            ;
        a[i] = blockIdx.x; // planted: global-race
    }
}

int main()
{
    int *together, n = 500;
    float *a;
    cudaMalloc(&together, sizeof *together);
    cudaMemset(together, 0, sizeof *together);
    cudaMalloc(&a, n * sizeof *a);
    write_together<<<8, 1>>>(together, a, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(together);
}
