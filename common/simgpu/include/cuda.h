/** @file cuda.h
 *  Not simulated. */
#error "simgpu: <cuda.h> is not simulated, the driver API: use the runtime API, <cuda_runtime.h>"
