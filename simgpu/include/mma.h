/** @file mma.h
 *  Not simulated. */
#error "simgpu: <mma.h> is not simulated: it has no tensor cores"
