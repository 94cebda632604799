// expect: cudaMallocManaged is not simulated: use cudaMalloc and cudaMemcpy
#include <cuda_runtime.h>
void f() { float *p; cudaMallocManaged(&p, 4); }
