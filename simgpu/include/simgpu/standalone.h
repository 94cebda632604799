/* SPDX-License-Identifier: MIT */
/** @file standalone.h
 * What nvcc includes before a .cu file: the runtime and a part of the C library.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_STANDALONE_H
#define SIMGPU_INCLUDE_SIMGPU_STANDALONE_H

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <functional>
#include <new>
#include <utility>
#endif

/* Thrust, where it is installed: its back end that runs on the host, in one thread. */
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM 4
#endif

/* The version of nvcc that CUDART_VERSION belongs to. */
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#include <cuda_runtime.h>

#endif
