/** @file thrust/device_vector.h
 *  Not simulated. */
#error                                                                                         \
    "simgpu: <thrust/device_vector.h> is not simulated: Thrust: use cudaMalloc and cudaMemcpy"
