// volatile does not make a write atomic.
__global__ void set(volatile unsigned *data)
{
    if (blockIdx.x == 0)
        atomicExch((unsigned *)data, 1);
    else
        *data = 2; // planted: global-race
}

int main()
{
    unsigned *data;
    cudaMalloc(&data, sizeof *data);
    set<<<2, 1>>>(data);
    cudaDeviceSynchronize();
}
