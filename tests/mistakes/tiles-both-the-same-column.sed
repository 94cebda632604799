# bs is read in the column of the thread's row.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 96
# says: column of threadIdx.y and not of threadIdx.x
s/bs\[l \* b_row + x \* b_col\]/bs[l * b_row + y * b_col]/
