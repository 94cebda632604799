// What a kernel freed is read again.
__global__ void twice(int *out)
{
    int *own = (int *)malloc(sizeof *own);
    *own = threadIdx.x;
    free(own);
    out[threadIdx.x] = *own; // planted: out-of-bounds-global
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    twice<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}
