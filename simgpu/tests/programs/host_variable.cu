int count = 8;

__global__ void kernel(float *out)
{
    if (threadIdx.x < count) // planted: device-touches-host
        out[threadIdx.x] = 1;
    // says: a variable of the host, which stands outside all functions
}

int main()
{
    float *out;
    cudaMalloc(&out, 8 * sizeof *out);
    kernel<<<1, 8>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
