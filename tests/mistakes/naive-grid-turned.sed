# Rows and columns of the grid exchanged.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --m 64 --n 128 --k 32
# says: columns 64 to 127
# says: 4 x 8 blocks of 16 x 16 threads
/void multiply_coalesced/,/^}/ s/grid(.*);/grid(blocks_for(p->m, BLOCK), blocks_for(p->n, BLOCK));/
