// One byte too many, in the last word of an array of bytes.
__global__ void kernel(char *out)
{
    __shared__ char name[33];
    if (threadIdx.x <= 33)
        name[threadIdx.x] = 1; // planted: out-of-bounds-shared
    // says: writes 1 bytes at byte 33 of name, which has 33 bytes
    __syncthreads();
    out[threadIdx.x] = name[threadIdx.x % 33];
}

int main()
{
    char *out;
    cudaMalloc(&out, 64);
    kernel<<<1, 64>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
