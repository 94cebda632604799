# 48 x 48 threads a block.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 96
# fault: launch-limits
# says: 2304
/void multiply_coalesced/,/^}/{
s/block(BLOCK, BLOCK)/block(48, 48)/
s/coalesced<<<.*/& \/\/ planted/
}
