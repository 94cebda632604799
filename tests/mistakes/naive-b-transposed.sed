# The indices of B exchanged.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: product of A and B transposed
/void coalesced(/,/^}/ s/b\[(size_t)l \* ldb + j\]/b[(size_t)j * ldb + l]/
