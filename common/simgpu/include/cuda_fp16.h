/** @file cuda_fp16.h
 *  Not simulated. */
#error "simgpu: <cuda_fp16.h> is not simulated: float, double and int are"
