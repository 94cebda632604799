// An index beyond an array of structures in shared memory.
__global__ void kernel(float *out)
{
    __shared__ struct {
        float x, y;
        int count[2];
    } bins[32];
    bins[threadIdx.x + 1].y = 1; // planted: out-of-bounds-shared
    // says: writes 4 bytes at byte 516 of bins, which has 512 bytes
    __syncthreads();
    out[threadIdx.x] = bins[31 - threadIdx.x].y;
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
