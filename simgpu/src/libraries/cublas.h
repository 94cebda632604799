/* SPDX-License-Identifier: MIT */
/** @file cublas.h
 * A handle of cuBLAS, and what its calls on matrices and on vectors share.
 */
#ifndef SIMGPU_SRC_CUBLAS_H
#define SIMGPU_SRC_CUBLAS_H

#include "src/streams/graphs.h" /* first: cublas_v2.h then leaves out what only programs take */
#include "src/tracer/tracer.h"

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
/** Reports an argument that cuBLAS refuses, and why. */
cublasStatus_t invalid(const char *call, const std::string &why);
/** Reports a handle that is none, or else what is wrong with the arguments, if not "". */
cublasStatus_t refusal(const char *call, cublasHandle_t handle, const std::string &wrong);
/** The status after a fault, which it prints. */
cublasStatus_t failed();

/** Reads the i-th element of an array of pointers in device memory. */
template <class T> T *pointer_at(T *const *array, int i)
{
    ArenaAccess access;
    return array[i];
}

/** Computes `count` products or the like, each with one(i). */
template <class F> cublasStatus_t batched(const char *call, int count, F one)
{
    if (count < 0)
        return invalid(call, format("batchCount is %d", count));
    for (int i = 0; i < count; i++) {
        cublasStatus_t status = one(i);
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace simgpu

#endif
