__constant__ float weights[8];

__global__ void kernel(float *out)
{
    float sum = 0;
    for (int i = 0; i <= 8; i++)
        sum += weights[i]; // planted: out-of-bounds-array
    // says: asks for element 8 of (weights|an array), which has 8
    out[threadIdx.x] = sum;
}

int main()
{
    float host[8] = {1}, *out;
    cudaMemcpyToSymbol(weights, host, sizeof host);
    cudaMalloc(&out, 8 * sizeof *out);
    kernel<<<1, 8>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
