// Two flags between two blocks, both watched by a third.
__global__ void play(volatile int *full, volatile int *empty, int *box, int *sum, volatile int *seen)
{
    if (blockIdx.x == 0)
        for (int i = 1; i <= 20; i++) {
            while (*empty != i - 1)
                ;
            __threadfence();
            *box = i;
            __threadfence();
            *full = i;
        }
    else if (blockIdx.x == 1)
        for (int i = 1; i <= 20; i++) {
            while (*full != i)
                ;
            __threadfence();
            *sum += *box;
            __threadfence();
            *empty = i;
        }
    else
        while (*full < 20)
            *seen = *empty;
}
int main()
{
    int *m, result;
    cudaMalloc(&m, 20);
    cudaMemset(m, 0, 20);
    play<<<3, 1>>>(m, m + 1, m + 2, m + 3, m + 4);
    cudaMemcpy(&result, m + 3, 4, cudaMemcpyDeviceToHost);
    return result != 210;
}
