// expect: shared_nothing.cu:5: error: nothing here is __shared__: the union or struct needs a variable
#include <cuda_runtime.h>
static __global__ void k(float *p)
{
    __shared__ union { float a; int b; };
    p[0] = a;
}
void f(float *p) { k<<<1, 1>>>(p); }
