/** @file nvml.h
 *  Not simulated. */
#error "simgpu: <nvml.h> is not simulated: NVML"
