# expect: global-race|fault|elements wrong
s/blockIdx.x \* blockDim.x + threadIdx.x/threadIdx.x/
