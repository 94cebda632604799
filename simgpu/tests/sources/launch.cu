// expect: launch.cu:6: error: this <<< has no >>>
#include <cuda_runtime.h>
static __global__ void k(int *p) { *p = 1; }
void f(int *p)
{
    k<<<1, 1>>(p);
}
