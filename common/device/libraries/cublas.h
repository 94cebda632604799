/* SPDX-License-Identifier: MIT */
/** @file cublas.h
 * For steps that call cuBLAS: the handle, checked calls, and cuBLAS's product as a leaf.
 */
#ifndef COMMON_DEVICE_LIBRARIES_CUBLAS_H
#define COMMON_DEVICE_LIBRARIES_CUBLAS_H

#include <cublas_v2.h>

#include "common/device/backend.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** This thread's cuBLAS handle, created at the first call on the current device.
 * @return the handle, which exists until the program ends. Ends the program on failure */
cublasHandle_t gpu_cublas(void);

/** Prints what failed and where, and ends the program with status 3 (no memory) or 1.
 * @param what the call's text
 * @param file,line of the call
 * @param code the cublasStatus_t */
void cublas_failed(const char *what, const char *file, int line, int code);

#ifdef __cplusplus
}
#endif

/** Checks a cuBLAS call. */
#define CUBLAS_CHECK(call)                                                                     \
    do {                                                                                       \
        cublasStatus_t status_ = (call);                                                       \
        if (status_ != CUBLAS_STATUS_SUCCESS)                                                  \
            cublas_failed(#call, __FILE__, __LINE__, (int)status_);                            \
    } while (0)

#if defined(LADDER_F32) || defined(LADDER_F64)
/** cublasSgemm or cublasDgemm as a leaf, which needs neither settings nor workspace.
 * @param p on device pointers */
static inline void multiply_cublas(const struct context *, struct product p, int, real *)
{
    backend.vendor_multiply(sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64, p);
}
#endif

#endif
