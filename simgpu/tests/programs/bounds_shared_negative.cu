// A negative number, and threadIdx.x is unsigned: as an index their sum is far above the array.
__global__ void kernel(float *out, int n)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + n]; // planted: out-of-bounds-shared
    // says: 4 bytes at byte 17175869184 of tile
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out, -1000000);
    return cudaDeviceSynchronize() == cudaSuccess;
}
