# C is stored without a guard for its columns.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# fault: out-of-bounds-global|global-race
s/^    if (i < m && j < n)$/    if (i < m)/
s/c\[(size_t)i \* ldc + j\] = sum;/& \/\/ planted/
