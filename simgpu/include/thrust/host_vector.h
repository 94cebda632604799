/** @file thrust/host_vector.h
 *  Not simulated. */
#error "simgpu: <thrust/host_vector.h> is not simulated: Thrust"
