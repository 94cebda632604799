# The pointer into A is not moved on.
# step: 10-gpu8
# file: gpu8.cuh
# options: --variant gpu8 --n 128
# says: first 64 columns of A were used again
s/^        move_left(&a, GPU8_K, left_with);$//
