# No barrier before the tile is filled again.
# step: 10-gpu8
# file: gpu8.cuh
# options: --variant gpu8 --n 128
# fault: shared-race
# says: Put a barrier after line 28
s/^        __syncthreads(); \/\* wait until nobody needs the tile.*//
s/^        to\[0\] = upper.x.*/& \/\/ planted/
