# expect: fault: out-of-bounds-global
s/CUBLAS_OP_N, CUBLAS_OP_N, z.cols/CUBLAS_OP_T, CUBLAS_OP_N, z.cols/
