/* SPDX-License-Identifier: MIT */
/** @file cublas_handle.cpp
 * Handles of cuBLAS and their settings; the names of its statuses.
 */
#include "src/libraries/cublas.h"

#include <set>

using namespace simgpu;

static std::mutex handles_mutex;

static std::set<const void *> &handles()
{
    static auto *all = new std::set<const void *>;
    return *all;
}

cublasStatus_t simgpu::refusal(const char *call, cublasHandle_t handle,
                               const std::string &wrong)
{
    if (simgpu_no_handle(call, "CUBLAS_STATUS_NOT_INITIALIZED", "cublasCreate", handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return wrong.empty() ? CUBLAS_STATUS_SUCCESS : invalid(call, wrong);
}

/** Calls f() if there is a handle. */
template <class F>
static cublasStatus_t with(cublasHandle_t handle, F f, const char *call = __builtin_FUNCTION())
{
    cublasStatus_t refused = refusal(call, handle, "");
    if (!refused)
        f();
    return refused;
}

extern "C" {

void simgpu_handle(const void *handle, int made)
{
    std::lock_guard<std::mutex> lock(handles_mutex);
    if (made)
        handles().insert(handle);
    else
        handles().erase(handle);
}

int simgpu_no_handle(const char *call, const char *status, const char *create,
                     const void *handle)
{
    {
        std::lock_guard<std::mutex> lock(handles_mutex);
        if (handles().count(handle))
            return 0;
    }
    host_fault(SIMGPU_BAD_CALL, called_here(kept(format("Call %s first.", create))), nullptr,
               "%s returns %s: %s", call, status,
               handle ? format("its handle was not made by %s, or is destroyed", create).c_str()
                      : "its handle is a null pointer");
    faults_print();
    return 1;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    return with(handle, [&] {
        simgpu_handle(handle, 0);
        delete handle;
    });
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
