// 30 floats are filled, and read four at a time.
__global__ void copy(float4 *to, const float4 *from)
{
    to[threadIdx.x] = from[threadIdx.x]; // planted: uninitialised-global
}

int main()
{
    float *to, *from;
    cudaMalloc(&to, 32 * sizeof *to);
    cudaMalloc(&from, 32 * sizeof *from);
    cudaMemset(from, 0, 30 * sizeof *from);
    copy<<<1, 8>>>((float4 *)to, (float4 *)from);
    return cudaDeviceSynchronize() != cudaSuccess;
}
