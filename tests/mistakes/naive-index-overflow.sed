# An int that overflows in the index.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# fault: out-of-bounds-global
# says: ndex.*overflow|int that overflows
/void coalesced(/,/^}/ s/sum += a\[(size_t)i \* lda + l\]\(.*\)/sum += a[(int)(i * 40000000u) + l]\1 \/\/ planted/
