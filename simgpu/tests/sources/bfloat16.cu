// expect: <cuda_bf16.h> is not simulated
#include <cuda_bf16.h>
