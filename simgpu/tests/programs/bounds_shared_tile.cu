// The tile has 16 rows, the block 32.
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; // planted: out-of-bounds-shared
    __syncthreads();
    out[threadIdx.x * 32 + threadIdx.y] = tile[threadIdx.y][threadIdx.x];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 16 * 32 * sizeof(float));
    cudaMalloc(&out, 16 * 32 * sizeof(float));
    cudaMemset(in, 0, 16 * 32 * sizeof(float));
    transpose<<<1, dim3(16, 32)>>>(in, out);
    cudaDeviceSynchronize();
}
