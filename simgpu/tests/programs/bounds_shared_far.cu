// An int that was never set, as an index into shared memory: far away from any of it.
__global__ void kernel(float *out, int n)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + n]; // planted: out-of-bounds-shared
    // says: 4 bytes at byte 6000000000 of tile, which has 128 bytes
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out, 1500000000);
    return cudaDeviceSynchronize() == cudaSuccess;
}
