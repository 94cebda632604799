# expect: elements wrong; first C\[
s/int i = blockIdx.y \* 16 + threadIdx.y, j = blockIdx.x \* 16 + threadIdx.x;/int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;/
