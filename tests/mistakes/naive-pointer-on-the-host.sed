# Host code clears an element of C itself.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 96
# fault: host-touches-device
/void multiply_coalesced/,/^}/ s/coalesced<<</((real *)x.c.at)[0] = 0; \/\/ planted\n    &/
