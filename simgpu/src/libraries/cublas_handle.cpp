/* SPDX-License-Identifier: MIT */
/** @file cublas_handle.cpp
 * Handles of cuBLAS and their settings; the names of its statuses.
 */
#include "src/libraries/cublas.h"

using namespace simgpu;

/** Calls f() if there is a handle. */
template <class F> static cublasStatus_t with(cublasHandle_t handle, F f)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    f();
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" {

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version)
{
    *version = CUDART_VERSION * 10;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    return with(handle, [&] { handle->stream = stream; });
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    return with(handle, [&] { *stream = handle->stream; });
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    return with(handle, [&] { handle->mode = mode; });
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
    return with(handle, [&] { *mode = handle->mode; });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
    cublasStatus_t status = with(handle, [] {});
    return status || mode == CUBLAS_POINTER_MODE_HOST ? status : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t)
{
    return with(handle, [] {});
}

static const struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
#define SIMGPU_STATUS(status, text)                                                            \
    {                                                                                          \
        status, #status, text                                                                  \
    }
    SIMGPU_STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    SIMGPU_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    SIMGPU_STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    SIMGPU_STATUS(CUBLAS_STATUS_INVALID_VALUE, "an invalid value was used as an argument"),
    SIMGPU_STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"),
    SIMGPU_STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the requested functionality is not supported"),
};

static const char *status_text(cublasStatus_t status, const char *StatusText::*member)
{
    for (auto &s : statuses)
        if (s.status == status)
            return s.*member;
    return "unknown status";
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    return status_text(status, &StatusText::name);
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return status_text(status, &StatusText::text);
}

} // extern "C"
