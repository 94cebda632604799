// A 64-bit offset with a wrong sign: 1 TiB below the array lie the simulator's own books.
__global__ void fill(float *out, long long first)
{
    out[first + threadIdx.x] = 1; // planted: out-of-bounds-global
    // says: writes out.-274877906944. of 32: 4 bytes at an address where there is no memory
    // says: an int that overflows
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    fill<<<1, 32>>>(out, -(1LL << 38));
    return cudaDeviceSynchronize() == cudaSuccess;
}
