/** @file cuda_bf16.h
 *  Not simulated. */
#error "simgpu: <cuda_bf16.h> is not simulated: float, double and <cuda_fp16.h> are"
