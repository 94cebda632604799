# expect: each load of a half-warp takes [0-9.]+ transactions: neighbouring threads read down a column
s/int i = blockIdx.y \* 16 + threadIdx.y, j = blockIdx.x \* 16 + threadIdx.x;/int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;/
s/dim3 grid(blocks_for(p->n, 16), blocks_for(p->m, 16));/dim3 grid(blocks_for(p->m, 16), blocks_for(p->n, 16));/
