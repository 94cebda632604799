# The indices of C exchanged.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: rows and columns of C are exchanged
/void coalesced(/,/^}/ s/c\[(size_t)i \* ldc + j\]/c[(size_t)j * ldc + i]/
