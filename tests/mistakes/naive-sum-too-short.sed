# The loop ends one term too soon.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 100
# says: first 99 of k = 100 terms
/void coalesced(/,/^}/ s/l < k; l++/l < k - 1; l++/
