// A kernel frees what the host allocated.
__global__ void give_back(int *memory)
{
    if (threadIdx.x == 0)
        free(memory); // planted: bad-call
}

int main()
{
    int *memory;
    cudaMalloc(&memory, 128);
    give_back<<<1, 32>>>(memory);
    cudaDeviceSynchronize(); // says: freed by cudaFree in host code
}
