// expect: argument.cu:[678]:.*error
#include <cuda_runtime.h>
static __global__ void k(float *p) { *p = 1; }
void f(int *p)
{
    k<<<1,
        1>>>(
        p);
}
