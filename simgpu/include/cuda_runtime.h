/* SPDX-License-Identifier: MIT */
/** @file cuda_runtime.h
 * Replaces CUDA's header of that name when a program is built for the simulated GPU. In C it is
 * the runtime API alone.
 */
#ifndef SIMGPU_INCLUDE_CUDA_RUNTIME_H
#define SIMGPU_INCLUDE_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

/* The guard of CUDA's own header, which other headers test. */
#define __CUDA_RUNTIME_H__

#ifdef __cplusplus
#include "simgpu/device/device.h"
#include "simgpu/host/launch.h"
#include "simgpu/device/texture.h"
#include "simgpu/host/host_api.h"
#include "simgpu/host/graphs.h"
#include "simgpu/unsupported.h"
#endif

#endif
