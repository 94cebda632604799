/** @file nvtx3/nvToolsExt.h
 *  Not simulated. */
#error "simgpu: <nvtx3/nvToolsExt.h> is not simulated: NVTX"
