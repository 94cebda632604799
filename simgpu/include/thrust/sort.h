/** @file thrust/sort.h
 *  Not simulated. */
#error "simgpu: <thrust/sort.h> is not simulated: Thrust"
