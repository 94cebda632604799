/* SPDX-License-Identifier: MIT */
/** @file cublas.h
 * A handle of cuBLAS.
 */
#ifndef SIMGPU_SRC_CUBLAS_H
#define SIMGPU_SRC_CUBLAS_H

#include "graphs.h" /* first: cublas_v2.h then leaves out what only programs take */
#include "tracer.h"

#include "include/cublas_v2.h"

struct cublasContext {
    cudaStream_t stream;
    cublasMath_t mode;
};

#endif
