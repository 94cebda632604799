# expect: each load of a half-warp takes [0-9.]+ transactions: neighbouring threads read down a column
s/int i = blockIdx.y \* 16 + threadIdx.y, j = blockIdx.x \* 16 + threadIdx.x;/int i = blockIdx.y * 16 + threadIdx.x, j = blockIdx.x * 16 + threadIdx.y;/
