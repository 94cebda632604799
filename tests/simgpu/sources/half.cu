// expect: <cuda_fp16.h> is not simulated
#include <cuda_fp16.h>
