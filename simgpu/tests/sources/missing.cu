// expect: missing.cu:5:.*required from here|cudaGraphCreate is not simulated
#include <cuda_runtime.h>
int main()
{
    return cudaGraphCreate(0, 0);
}
