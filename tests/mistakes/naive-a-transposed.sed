# The indices of A exchanged.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: product of A transposed and B
/void coalesced(/,/^}/ s/a\[(size_t)i \* lda + l\]/a[(size_t)l * lda + i]/
