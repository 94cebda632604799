# > in place of >=: one row too many.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 96 --m 100
# fault: out-of-bounds-global
/void coalesced(/,/^}/{
s/i >= m || j >= n/i > m || j >= n/
s/sum += a\[(size_t)i \* lda + l\] \* b\[(size_t)l \* ldb + j\];/& \/\/ planted/
}
