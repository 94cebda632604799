# Only whole tiles: the tail of k is missing.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 100
# says: first 96 of k = 100 terms
s/first < k; first += tile/first + tile <= k; first += tile/
