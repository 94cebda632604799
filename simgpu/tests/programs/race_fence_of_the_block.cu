// A fence for the block is too little between blocks.
__device__ int flag;

__global__ void hand_over(volatile int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 1; // planted: global-race
        __threadfence_block();
        atomicExch(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) == 0)
            ;
        out[0] = data[0]; // says: only together with fences
    }
}

int main()
{
    int *data, *out;
    cudaMalloc(&data, sizeof *data);
    cudaMalloc(&out, sizeof *out);
    hand_over<<<2, 1>>>(data, out);
    cudaDeviceSynchronize();
}
