// expect: __device__ variables are not simulated
#include <cuda_runtime.h>
__device__ float total;
