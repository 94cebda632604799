/* SPDX-License-Identifier: MIT */
/** @file cublasLt.h
 * The part of cuBLASLt with which programs multiply float matrices: a product plus a bias, then
 * GELU or ReLU. For other types the calls return CUBLAS_STATUS_NOT_SUPPORTED.
 */
#ifndef SIMGPU_INCLUDE_CUBLASLT_H
#define SIMGPU_INCLUDE_CUBLASLT_H

#ifndef __cplusplus
#error "simgpu: <cublasLt.h> is for CUDA C++ sources, not for C"
#endif

#include <cmath>
#include <vector>

#include "cublas_v2.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };

typedef struct cublasLtContext *cublasLtHandle_t;
struct cublasLtMatmulDescOpaque_t {
    cublasOperation_t transa, transb;
    cublasLtEpilogue_t epilogue;
    const void *bias;
};
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
struct cublasLtMatrixLayoutOpaque_t {
    cudaDataType type;
    uint64_t rows, columns;
    int64_t leading;
};
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
struct cublasLtMatmulPreferenceOpaque_t {
    size_t workspace;
};
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
    uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
};

#define SIMGPU_LT_HANDLE(handle)                                                               \
    if (simgpu_no_handle(__func__, "CUBLAS_STATUS_NOT_INITIALIZED", "cublasLtCreate", handle)) \
        return CUBLAS_STATUS_NOT_INITIALIZED;

SIMGPU_API cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    cublasHandle_t made;
    cublasStatus_t status = cublasCreate(&made);
    *handle = (cublasLtHandle_t)made;
    return status;
}
SIMGPU_API cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    SIMGPU_LT_HANDLE(handle)
    return cublasDestroy((cublasHandle_t)handle);
}
#define SIMGPU_LT_DESTROY(what)                                                                \
    SIMGPU_API cublasStatus_t cublasLt##what##Destroy(cublasLt##what##_t what)                 \
    {                                                                                          \
        delete what;                                                                           \
        return CUBLAS_STATUS_SUCCESS;                                                          \
    }
SIMGPU_LT_DESTROY(MatmulDesc)
SIMGPU_LT_DESTROY(MatrixLayout)
SIMGPU_LT_DESTROY(MatmulPreference)
SIMGPU_API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc,
                                                   cublasComputeType_t, cudaDataType)
{
    *desc = new cublasLtMatmulDescOpaque_t{CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT,
                                           nullptr};
    return CUBLAS_STATUS_SUCCESS;
}
SIMGPU_API cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                                         cublasLtMatmulDescAttributes_t which,
                                                         const void *value, size_t bytes)
{
    void *to = which == CUBLASLT_MATMUL_DESC_TRANSA         ? (void *)&desc->transa
               : which == CUBLASLT_MATMUL_DESC_TRANSB       ? (void *)&desc->transb
               : which == CUBLASLT_MATMUL_DESC_EPILOGUE     ? (void *)&desc->epilogue
               : which == CUBLASLT_MATMUL_DESC_BIAS_POINTER ? (void *)&desc->bias
                                                            : nullptr;
    if (!to)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    memcpy(to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
SIMGPU_API cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                                     cudaDataType type, uint64_t rows,
                                                     uint64_t columns, int64_t leading)
{
    *layout = new cublasLtMatrixLayoutOpaque_t{type, rows, columns, leading};
    return CUBLAS_STATUS_SUCCESS;
}
SIMGPU_API cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    *preference = new cublasLtMatmulPreferenceOpaque_t{0};
    return CUBLAS_STATUS_SUCCESS;
}
SIMGPU_API cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void *, size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}
SIMGPU_API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
    cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
    cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t *results, int *count)
{
    SIMGPU_LT_HANDLE(handle)
    results[0] = cublasLtMatmulHeuristicResult_t();
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

/** D = epilogue(alpha op(A) op(B) + beta C). cublasSgemm multiplies; the host does the rest. */
SIMGPU_API cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                         const void *alpha, const void *A,
                                         cublasLtMatrixLayout_t a, const void *B,
                                         cublasLtMatrixLayout_t b, const void *beta,
                                         const void *C, cublasLtMatrixLayout_t c, void *D,
                                         cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *,
                                         void *, size_t, cudaStream_t)
{
    SIMGPU_LT_HANDLE(handle)
    if (a->type != CUDA_R_32F || b->type != CUDA_R_32F || d->type != CUDA_R_32F ||
        (C != D && *(const float *)beta != 0))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    int m = (int)d->rows, n = (int)d->columns;
    int k = (int)(desc->transa == CUBLAS_OP_N ? a->columns : a->rows);
    (void)c;
    cublasStatus_t status =
        cublasSgemm((cublasHandle_t)handle, desc->transa, desc->transb, m, n, k,
                    (const float *)alpha, (const float *)A, (int)a->leading, (const float *)B,
                    (int)b->leading, (const float *)beta, (float *)D, (int)d->leading);
    if (status != CUBLAS_STATUS_SUCCESS || desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT)
        return status;
    std::vector<float> bias(m), column(m);
    if ((desc->epilogue & CUBLASLT_EPILOGUE_BIAS) &&
        cudaMemcpy(bias.data(), desc->bias, m * sizeof(float), cudaMemcpyDeviceToHost))
        return CUBLAS_STATUS_MAPPING_ERROR;
    for (int j = 0; j < n; j++) {
        float *at = (float *)D + j * d->leading;
        cudaMemcpy(column.data(), at, m * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < m; i++) {
            float v = column[i] + bias[i];
            if (desc->epilogue & CUBLASLT_EPILOGUE_RELU)
                v = v > 0 ? v : 0;
            if (desc->epilogue & CUBLASLT_EPILOGUE_GELU) /* with tanh, as cuBLASLt does */
                v = 0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
            column[i] = v;
        }
        cudaMemcpy(at, column.data(), m * sizeof(float), cudaMemcpyHostToDevice);
    }
    return CUBLAS_STATUS_SUCCESS;
}

#endif
