# No guard: the threads beyond the matrix work, too.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# fault: out-of-bounds-global
# says: c.100..[0-9]+. of 100 x 100|.[0-9]+.... of 100 x 100
/void coalesced(/,/^}/{
s/if (i >= m || j >= n)/if (i < 0)/
s/sum += a\[(size_t)i \* lda + l\] \* b\[(size_t)l \* ldb + j\];/& \/\/ planted/
}
