# The sum is cleared for each tile.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 96
# says: only the last 16 of k = 96 terms
s/^\( *for (int first = 0.*{\)$/\1 sum = 0;/
