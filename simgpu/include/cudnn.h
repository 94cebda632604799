/** @file cudnn.h
 *  Not simulated. */
#error "simgpu: <cudnn.h> is not simulated: cuDNN"
