// The same statement stands in two branches: the line is that of the branch that was taken.
__global__ void change(float *out, int n, int how)
{
    if (how == 0) {
        out[threadIdx.x] = out[n + threadIdx.x]; // planted: out-of-bounds-global
    }
    if (how == 1)
        out[threadIdx.x] = 1;
    if (how == 2) {
        out[threadIdx.x] = out[n + threadIdx.x];
    }
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
    change<<<1, 32>>>(out, 32, 0);
    return cudaDeviceSynchronize() == cudaSuccess;
}
