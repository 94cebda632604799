# The loop begins with 1.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: first 1 of k = 100 terms
/void coalesced(/,/^}/ s/int l = 0; l < k/int l = 1; l < k/
