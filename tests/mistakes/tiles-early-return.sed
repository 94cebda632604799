# Threads beyond the matrix return before the barrier.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# fault: barrier-divergence
s/^    real sum = 0;$/    if (i >= m || j >= n) return; real sum = 0;/
s/__syncthreads(); \/\* without it, a thread multiplies.*/__syncthreads(); \/\/ planted/
