/** @file curand.h
 *  Not simulated. */
#error                                                                                         \
    "simgpu: <curand.h> is not simulated: random numbers on the host: fill the array yourself and copy it"
