# The grid is rounded down: the last rows and columns have no thread.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: rows 0 to 99, columns 0 to 99|rows 96 to 99|columns 96 to 99
# says: 6 x 6 blocks of 16 x 16 threads
/void multiply_coalesced/,/^}/ s/grid(.*);/grid(p->n \/ BLOCK, p->m \/ BLOCK);/
