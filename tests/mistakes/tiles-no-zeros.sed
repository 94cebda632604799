# No zeros where the tile hangs over.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# fault: uninitialised-shared
s/as\[y \* a_row + x \* a_col\] = i < m && first + x < k ? \(.*\) : 0;/if (i < m \&\& first + x < k) as[y * a_row + x * a_col] = \1;/
s/sum += as.*/& \/\/ planted/
