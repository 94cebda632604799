// Without a fence the lock does not order what it guards.
__device__ int lock, counter;

__global__ void locked()
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    counter = counter + 1; // planted: global-race
    atomicExch(&lock, 0);
}

int main()
{
    locked<<<20, 1>>>();
    cudaDeviceSynchronize();
}
