# = in place of +=.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: only the last of k = 100 terms
/void coalesced(/,/^}/ s/sum += a/sum = a/
