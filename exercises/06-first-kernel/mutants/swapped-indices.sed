# expect: elements wrong; first C\[.*quadrant C21
s/int i = blockIdx.y \* 16 + threadIdx.y, j = blockIdx.x \* 16 + threadIdx.x;/int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;/
