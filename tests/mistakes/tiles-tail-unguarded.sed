# The tail of k is read without a guard.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# fault: out-of-bounds-global
s/i < m && first + x < k ? \(.*\);/i < m ? \1; \/\/ planted/
