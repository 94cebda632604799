/* SPDX-License-Identifier: MIT */
/** @file cuda.h
 * Read before each CUDA source by clangd and clang-tidy, which parse it as CUDA with the
 * headers of the simulated GPU. These are written for a C++ compiler: their functions become
 * functions of host and device here, and the words of CUDA become Clang's attributes again.
 */
#include <stdlib.h>
#define __host__   __attribute__((host)) /* for Clang's own <new> and <algorithm> */
#define __device__ __attribute__((device))
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#undef __host__
#undef __device__
#pragma clang force_cuda_host_device begin
#include <cmath>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
size_t __cvta_generic_to_shared(const void *p);
extern "C" int __cudaPushCallConfiguration(dim3, dim3, size_t shared = 0, void *stream = 0);
#pragma clang force_cuda_host_device end
/* A template: clangd takes a second C function of this name for the first one. */
template <class... T> __attribute__((device)) int printf(const char *, T...);
#undef __constant__
#undef __device__
#undef __global__
#undef __host__
#undef __shared__
#undef __SIMGPU__
#define __CUDACC__ 1
#define __cluster_dims__(...)
#define __constant__ __attribute__((constant))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __host__     __attribute__((host))
#define __shared__   __attribute__((shared))
