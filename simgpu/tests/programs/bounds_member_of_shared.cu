// An array in a structure is left for the member behind it, all in shared memory.
__global__ void kernel(float *out)
{
    __shared__ struct {
        float a[32];
        int count;
    } s;
    if (threadIdx.x == 0) s.count = 5;
    __syncthreads();
    for (int i = threadIdx.x; i < 33; i += 32)
        s.a[i] = i; // planted: out-of-bounds-array
    // says: Thread .0,0,0. asks for element 32 of (a|an array), which has 32
    __syncthreads();
    out[threadIdx.x] = s.a[31 - threadIdx.x] + s.count;
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
