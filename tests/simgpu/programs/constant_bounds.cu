__constant__ float weights[8];

__global__ void kernel(float *out)
{
    float sum = 0;
    for (int i = 0; i <= 8; i++)
        sum += weights[i]; // planted: device-touches-host
    // says: reads 4 bytes beside a __constant__ variable
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
