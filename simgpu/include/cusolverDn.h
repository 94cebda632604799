/** @file cusolverDn.h
 *  Not simulated. */
#error "simgpu: <cusolverDn.h> is not simulated: solvers"
