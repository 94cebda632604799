// expect: shared_initialiser.cu:5: error: a __shared__ variable cannot have an initialiser
#include <cuda_runtime.h>
static __global__ void k(float *p)
{
    __shared__ float s[4] = {0};
    p[0] = s[0];
}
void f(float *p) { k<<<1, 1>>>(p); }
