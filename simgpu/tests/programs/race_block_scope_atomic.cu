// An atomic of the block's scope on a counter of all blocks.
__global__ void count(int *counter)
{
    atomicAdd_block(counter, 1); // planted: global-race
}

int main()
{
    int *counter;
    cudaMalloc(&counter, 4);
    cudaMemset(counter, 0, 4);
    count<<<16, 32>>>(counter); // says: _block
    cudaDeviceSynchronize();
}
