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

/** A matrix of a call, column by column; or a vector, named in lower case, which is a matrix of
 * one row. */
struct Operand {
    const char *name;
    const void *first;
    int rows, columns, ld;
    size_t size; /**< of an element */
    bool read, written;
};
/** Runs compute() if the operands are in device memory and those that are read were written;
 * or captures it. `result`: it goes to the host's memory. */
cublasStatus_t compute_on(const char *call, cublasHandle_t handle, bool result,
                          const std::vector<Operand> &operands,
                          const std::function<void()> &compute);

} // namespace simgpu

#endif
