/** @file thrust/reduce.h
 *  Not simulated. */
#error "simgpu: <thrust/reduce.h> is not simulated: Thrust"
