# expect: fault: |cublasSgeam: |elements wrong; first C\[
s/CUBLAS_OP_N, CUBLAS_OP_N, z.cols/CUBLAS_OP_T, CUBLAS_OP_N, z.cols/
