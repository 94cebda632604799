# C is added to and was never cleared.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# fault: uninitialised-global
/void coalesced(/,/^}/ s/c\[(size_t)i \* ldc + j\] = sum;/c[(size_t)i * ldc + j] += sum; \/\/ planted/
