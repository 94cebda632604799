/** @file cufft.h
 *  Not simulated. */
#error "simgpu: <cufft.h> is not simulated: Fourier transforms"
