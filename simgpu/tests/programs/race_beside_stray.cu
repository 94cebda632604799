// faults: 2
// Two faults: an index before the array ends one block, and all others race.
__global__ void largest(const int *first, const int *values, int *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int last = first[i + 1] - 1;
    if (values[last] > *best) // says: out-of-bounds-global in kernel largest, block .0,0,0., thread .0,0,0.
        *best = values[last]; // planted: global-race
}

int main()
{
    const int n = 256;
    int host[n + 1], *first, *values, *best;
    for (int i = 0; i <= n; i++)
        host[i] = i < 2 ? 0 : i - 1; // nobody has the first one: its last value is number -1
    cudaMalloc(&first, sizeof host);
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&best, sizeof *best);
    cudaMemset(best, 0, sizeof *best);
    cudaMemcpy(first, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    largest<<<n / 32, 32>>>(first, values, best, n);
    cudaDeviceSynchronize();
}
