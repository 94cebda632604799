/** @file cublasLt.h
 *  Not simulated. */
#error "simgpu: <cublasLt.h> is not simulated: use <cublas_v2.h>"
