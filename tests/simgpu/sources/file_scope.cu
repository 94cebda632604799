// expect: file_scope.cu:3: error: .*__shared__ only inside a function
#include <cuda_runtime.h>
static __shared__ float tile[32];
