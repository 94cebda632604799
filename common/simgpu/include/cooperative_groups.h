/** @file cooperative_groups.h
 *  Not simulated. */
#error "simgpu: <cooperative_groups.h> is not simulated: use __syncthreads() and __syncwarp()"
