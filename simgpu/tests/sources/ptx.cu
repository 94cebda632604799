// expect: inline PTX is not simulated
#include <cuda_runtime.h>
static __global__ void k(int *p) { asm volatile("mov.u32 %0, %laneid;" : "=r"(*p)); }
void f(int *p) { k<<<1, 1>>>(p); }
