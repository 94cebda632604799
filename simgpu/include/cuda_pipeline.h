/** @file cuda_pipeline.h
 *  Not simulated. */
#error "simgpu: <cuda_pipeline.h> is not simulated: it has no asynchronous copies"
