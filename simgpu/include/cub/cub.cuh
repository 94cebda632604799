/** @file cub/cub.cuh
 *  Not simulated. */
#error "simgpu: <cub/cub.cuh> is not simulated: CUB"
