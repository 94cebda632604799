# Half of the tile is not stored.
# step: 10-gpu8
# file: gpu8.cuh
# options: --variant gpu8 --n 128
# fault: uninitialised-shared
s/^        to\[32\] = lower.x.*//
s/^        c\[i\] += a\[i \* 4\] \* b;/& \/\/ planted/
