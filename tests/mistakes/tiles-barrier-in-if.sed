# The barrier stands in the guard.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# fault: barrier-divergence
s/__syncthreads(); \/\* without it, a thread multiplies.*/if (i < m \&\& j < n) __syncthreads(); \/\/ planted/
