// A lock as it must be: taken, fenced, given back.
__device__ int lock, counter;

__global__ void locked()
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence();
    counter = counter + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main()
{
    int result;
    locked<<<20, 8>>>();
    cudaMemcpyFromSymbol(&result, counter, sizeof result);
    return result != 160;
}
