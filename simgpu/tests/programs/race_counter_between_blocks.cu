__global__ void count(int *counter)
{
    *counter += 1; // planted: global-race
}

int main()
{
    int *counter;
    cudaMalloc(&counter, 4);
    cudaMemset(counter, 0, 4);
    count<<<64, 1>>>(counter); // says: use atomicAdd
    cudaDeviceSynchronize();
}
