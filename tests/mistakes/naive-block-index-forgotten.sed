# blockIdx is missing: all blocks write the first rows.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 96
# fault: global-race
/void coalesced(/,/^}/{
s/int i = blockIdx.y \* BLOCK + threadIdx.y/int i = threadIdx.y/
s/c\[(size_t)i \* ldc + j\] = sum;/& \/\/ planted/
}
