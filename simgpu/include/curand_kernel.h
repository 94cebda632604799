/** @file curand_kernel.h
 *  Not simulated. */
#error                                                                                         \
    "simgpu: <curand_kernel.h> is not simulated: random numbers in kernels: pass them in, or compute them by a hash of the index"
