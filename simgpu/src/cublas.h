/* SPDX-License-Identifier: MIT */
/** @file cublas.h
 * A handle of cuBLAS, and what its calls on matrices and on vectors share.
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

namespace simgpu
{

/** Checks that a matrix is in one allocation and, if it is read, that it was written. Reports
 * faults. A vector is a matrix of one row, named in lower case. */
bool usable(const char *call, const char *which, const void *matrix, int rows, int columns,
            int ld, size_t element, bool read);
/** The status after a fault, which it prints. */
cublasStatus_t failed();

/** A matrix or vector was written. */
void mark_matrix(const void *matrix, int rows, int columns, int ld, size_t element);

} // namespace simgpu

#endif
