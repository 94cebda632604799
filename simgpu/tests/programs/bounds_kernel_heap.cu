// A kernel writes behind what it allocated itself.
__global__ void squares(int *out)
{
    int *own = new int[4];
    for (int i = 0; i <= 4; i++)
        own[i] = i * i; // planted: out-of-bounds-global
    out[threadIdx.x] = own[3];
    delete[] own; // says: bytes that a kernel allocated at .*bounds_kernel_heap.cu:4
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    squares<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}
