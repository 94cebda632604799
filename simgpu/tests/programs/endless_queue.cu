// options: --limit 1
// The simulator asks by a signal, again and again, what a thread does whose time is over. On a busy machine
// many of these wait until the thread runs again, as here, where it does not take them for a while.
#include <csignal>
#include <ctime>

__global__ void busy(int *value)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (double start = clock(); clock() - start < 1.8 * CLOCKS_PER_SEC;)
        ;
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    volatile int same = 0;
    while (same == 0) // planted: endless-loop
        ;
    *value = 1;
}

int main()
{
    int *value;
    cudaMalloc(&value, 4);
    cudaMemset(value, 0, 4);
    busy<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    cudaFree(value);
}
