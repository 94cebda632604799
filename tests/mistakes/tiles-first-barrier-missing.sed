# No barrier between filling the tiles and using them.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 96
# fault: shared-race
# says: Put a barrier after line
s/^\( *as\[y \* a_row + x \* a_col\] = i < m.*\)/\1 \/\/ planted/
s/__syncthreads(); \/\* without it, a thread multiplies/\/*/
