// Two halves of a warp wait for each other, each in a shuffle of its own mask.
__global__ void kernel(int *out)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0x0001ffff, v, 1);
    else
        v = __shfl_xor_sync(0xffff8000, v, 1); // planted: barrier-divergence
    out[threadIdx.x] = v;
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out); // says: names the mask 0xffff8000 here, and lane 15 of it waits with the mask 0x1ffff
    return cudaDeviceSynchronize() == cudaSuccess;
}
