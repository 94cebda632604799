/* SPDX-License-Identifier: MIT */
/** @file cublas_v2.h
 * The part of cuBLAS that the ladder uses, for the simulated GPU. Matrices are column-major, as
 * in cuBLAS. OpenBLAS computes the products if it is installed, otherwise plain loops do. The
 * traffic of a call is not counted: the tracer sees only kernels.
 */
#ifndef SIMGPU_INCLUDE_CUBLAS_V2_H
#define SIMGPU_INCLUDE_CUBLAS_V2_H

#define CUBLAS_API_H_ /* the guard of cuBLAS's own header, for others that ask for it */
#include "cuda_runtime_api.h"
#if defined(__cplusplus) && !defined(SIMGPU_SRC_BASE_H) /* a program, not the simulator */
#include "cuComplex.h"
#else
typedef struct {
    double x, y;
} cuDoubleComplex;
#endif
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

/** In which precision a product of cublasGemmEx is computed; values are cuBLAS's. */
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;

typedef enum {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
/** CUBLAS_TF32_TENSOR_OP_MATH makes cublasSgemm round A and B to TF32, as on a GPU with tensor
 * cores; the other modes compute in full float or double. */
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
/** Scalars are read from host memory; CUBLAS_POINTER_MODE_DEVICE is not supported. */
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
/* In NVIDIA's library the functions have these names. */
#define cublasCreate_v2  cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSgemm_v2   cublasSgemm
#define cublasDgemm_v2   cublasDgemm

/** Accepted without effect. */
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/**
 * What exists for float (S) and double (D):
 *
 * gemm: C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) k x n, C m x n.
 *
 * geam: C = alpha op(A) + beta op(B), all m x n; C may be A or B if this factor is not
 * transposed.
 *
 * gemmStridedBatched: batchCount products; matrix i begins i * stride elements after the first.
 *
 * gemmBatched: batchCount products; the arrays of pointers are in device memory.
 *
 * axpy, scal, copy, dot, nrm2, asum and amax of vectors, as in the BLAS. The result
 * goes to host memory. Two macros write the names for S and D: programs in C include this, too.
 */
/* The parameters of each; of a vector that is only read, and of products. */
#define SIMGPU_X(real) cublasHandle_t handle, int n, const real *x, int incx
#define SIMGPU_OPERATIONS                                                                      \
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb
#define SIMGPU_GEMM(integer, real)                                                             \
    SIMGPU_OPERATIONS, integer m, integer n, integer k, const real *alpha, const real *A,      \
        integer lda, const real *B, integer ldb, const real *beta, real *C, integer ldc
#define SIMGPU_GEAM(real)                                                                      \
    SIMGPU_OPERATIONS, int m, int n, const real *alpha, const real *A, int lda,                \
        const real *beta, const real *B, int ldb, real *C, int ldc
#define SIMGPU_STRIDED(integer, real)                                                          \
    SIMGPU_OPERATIONS, integer m, integer n, integer k, const real *alpha, const real *A,      \
        integer lda, long long strideA, const real *B, integer ldb, long long strideB,         \
        const real *beta, real *C, integer ldc, long long strideC, integer batchCount
#define SIMGPU_BATCHED(real)                                                                   \
    SIMGPU_OPERATIONS, int m, int n, int k, const real *alpha, const real *const A[], int lda, \
        const real *const B[], int ldb, const real *beta, real *const C[], int ldc,            \
        int batchCount
#define SIMGPU_CUBLAS(letter, small, real)                                                     \
    cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const real *alpha,       \
                                        const real *x, int incx, real *y, int incy);           \
    cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const real *alpha,       \
                                        real *x, int incx);                                    \
    cublasStatus_t cublas##letter##copy(SIMGPU_X(real), real *y, int incy);                    \
    cublasStatus_t cublas##letter##dot(SIMGPU_X(real), const real *y, int incy, real *result); \
    cublasStatus_t cublas##letter##nrm2(SIMGPU_X(real), real *result);                         \
    cublasStatus_t cublas##letter##asum(SIMGPU_X(real), real *result);                         \
    cublasStatus_t cublasI##small##amax(SIMGPU_X(real), int *result);                          \
    cublasStatus_t cublas##letter##gemm(SIMGPU_GEMM(int, real));                               \
    cublasStatus_t cublas##letter##geam(SIMGPU_GEAM(real));                                    \
    cublasStatus_t cublas##letter##gemmStridedBatched(SIMGPU_STRIDED(int, real));              \
    cublasStatus_t cublas##letter##gemmBatched(SIMGPU_BATCHED(real));
SIMGPU_CUBLAS(S, s, float)
SIMGPU_CUBLAS(D, d, double)
#undef SIMGPU_CUBLAS

/** cublasDgemm for complex numbers; CUBLAS_OP_C also conjugates. */
cublasStatus_t cublasZgemm(SIMGPU_GEMM(int, cuDoubleComplex));

/** One triangle of C = alpha op(A) op(A)^T + beta C: a product for each of its columns. */
static inline cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t uplo,
                                         cublasOperation_t trans, int n, int k,
                                         const double *alpha, const double *A, int lda,
                                         const double *beta, double *C, int ldc)
{
    cublasOperation_t other = trans == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasStatus_t status = n < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int j = 0; j < n && status == CUBLAS_STATUS_SUCCESS; j++) {
        int first = uplo == CUBLAS_FILL_MODE_LOWER ? j : 0,
            rows = uplo == CUBLAS_FILL_MODE_LOWER ? n - j : j + 1;
        long line = trans == CUBLAS_OP_N ? 1 : lda; /* from one row of op(A) to the next */
        status = cublasDgemm(handle, trans, other, rows, 1, k, alpha, A + first * line, lda,
                             A + j * line, lda, beta, C + first + (long)j * ldc, ldc);
    }
    return status;
}

/** Functions with sizes of 64 bits, which must fit into an int here. */
#define SIMGPU_INT(x) ((x) == (int)(x))
#define SIMGPU_CUBLAS_64(letter, real)                                                         \
    static inline cublasStatus_t cublas##letter##gemm_64(SIMGPU_GEMM(long, real))              \
    {                                                                                          \
        return SIMGPU_INT(m) && SIMGPU_INT(n) && SIMGPU_INT(k) && SIMGPU_INT(lda) &&           \
                       SIMGPU_INT(ldb) && SIMGPU_INT(ldc)                                      \
                   ? cublas##letter##gemm(handle, transa, transb, (int)m, (int)n, (int)k,      \
                                          alpha, A, (int)lda, B, (int)ldb, beta, C, (int)ldc)  \
                   : CUBLAS_STATUS_NOT_SUPPORTED;                                              \
    }                                                                                          \
    static inline cublasStatus_t cublas##letter##gemmStridedBatched_64(                        \
        SIMGPU_STRIDED(long, real))                                                            \
    {                                                                                          \
        return SIMGPU_INT(m) && SIMGPU_INT(n) && SIMGPU_INT(k) && SIMGPU_INT(lda) &&           \
                       SIMGPU_INT(ldb) && SIMGPU_INT(ldc) && SIMGPU_INT(batchCount)            \
                   ? cublas##letter##gemmStridedBatched(handle, transa, transb, (int)m,        \
                                                        (int)n, (int)k, alpha, A, (int)lda,    \
                                                        strideA, B, (int)ldb, strideB, beta,   \
                                                        C, (int)ldc, strideC, (int)batchCount) \
                   : CUBLAS_STATUS_NOT_SUPPORTED;                                              \
    }
SIMGPU_CUBLAS_64(S, float)
SIMGPU_CUBLAS_64(D, double)
static inline cublasStatus_t cublasZgemm_64(SIMGPU_GEMM(long, cuDoubleComplex))
{
    return SIMGPU_INT(m) && SIMGPU_INT(n) && SIMGPU_INT(k) && SIMGPU_INT(lda) &&
                   SIMGPU_INT(ldb) && SIMGPU_INT(ldc)
               ? cublasZgemm(handle, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda,
                             B, (int)ldb, beta, C, (int)ldc)
               : CUBLAS_STATUS_NOT_SUPPORTED;
}
static inline cublasStatus_t cublasDsyrk_64(cublasHandle_t handle, cublasFillMode_t uplo,
                                            cublasOperation_t trans, long n, long k,
                                            const double *alpha, const double *A, long lda,
                                            const double *beta, double *C, long ldc)
{
    return SIMGPU_INT(n) && SIMGPU_INT(k) && SIMGPU_INT(lda) && SIMGPU_INT(ldc)
               ? cublasDsyrk(handle, uplo, trans, (int)n, (int)k, alpha, A, (int)lda, beta, C,
                             (int)ldc)
               : CUBLAS_STATUS_NOT_SUPPORTED;
}

/**
 * The same product with the element types given as arguments. What is simulated:
 *
 * - A and B CUDA_R_16F, C CUDA_R_32F or 16F: CUBLAS_COMPUTE_32F, _PEDANTIC
 * - all CUDA_R_16F, alpha and beta __half: CUBLAS_COMPUTE_16F, _PEDANTIC, with sums in float
 * - all CUDA_R_32F: CUBLAS_COMPUTE_32F, _PEDANTIC, _FAST_TF32, _FAST_16F, _FAST_16BF
 * - all CUDA_R_64F: CUBLAS_COMPUTE_64F, _PEDANTIC
 * - A and B CUDA_R_8I, C CUDA_R_32I, alpha and beta int: CUBLAS_COMPUTE_32I, _PEDANTIC
 *
 * With _FAST_TF32, _FAST_16F and _FAST_16BF, A and B are first rounded to 10, 10 and 7 bits of
 * fraction (to nearest even). The sum of 8 (TF32) or 16 products is exact; after each such sum
 * the total is cut off to float, as a tensor core does (see docs/simulated-gpu.md).
 */
#define SIMGPU_GEMM_EX(type)                                                                   \
    SIMGPU_OPERATIONS, int m, int n, int k, const void *alpha, const void *A,                  \
        cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb,               \
        const void *beta, void *C, cudaDataType Ctype, int ldc, type computeType,              \
        cublasGemmAlgo_t algo
#define SIMGPU_STRIDED_EX(type)                                                                \
    SIMGPU_OPERATIONS, int m, int n, int k, const void *alpha, const void *A,                  \
        cudaDataType Atype, int lda, long long strideA, const void *B, cudaDataType Btype,     \
        int ldb, long long strideB, const void *beta, void *C, cudaDataType Ctype, int ldc,    \
        long long strideC, int batchCount, type computeType, cublasGemmAlgo_t algo
cublasStatus_t cublasGemmEx(SIMGPU_GEMM_EX(cublasComputeType_t));
cublasStatus_t cublasGemmStridedBatchedEx(SIMGPU_STRIDED_EX(cublasComputeType_t));

#ifdef __cplusplus
} /* extern "C" */

#include "simgpu/unsupported.h"

/** computeType as a cudaDataType, as it was before CUDA 11. */
static inline cublasComputeType_t simgpu_compute(cudaDataType type)
{
    return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(SIMGPU_GEMM_EX(cudaDataType))
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb,
                        beta, C, Ctype, ldc, simgpu_compute(computeType), algo);
}

/** A product of halves (H is __half), with sums in float. */
template <class H>
static inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const H *alpha, const H *A, int lda, const H *B,
                                         int ldb, const H *beta, H *C, int ldc)
{
    static_assert(sizeof(H) == 2, "simgpu: cublasHgemm takes __half");
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, B,
                        CUDA_R_16F, ldb, beta, C, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F,
                        CUBLAS_GEMM_DEFAULT);
}

/** y = alpha op(A) x + beta y, as a product of rows: y and x are matrices of one row, whose
 * leading dimensions are their increments. Negative increments are refused. */
#define SIMGPU_GEMV(letter, real)                                                              \
    SIMGPU_API cublasStatus_t cublas##letter##gemv(                                            \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const real *alpha,       \
        const real *A, int lda, const real *x, int incx, const real *beta, real *y, int incy)  \
    {                                                                                          \
        bool plain = trans == CUBLAS_OP_N;                                                     \
        return cublas##letter##gemm(handle, CUBLAS_OP_N, plain ? CUBLAS_OP_T : CUBLAS_OP_N, 1, \
                                    plain ? m : n, plain ? n : m, alpha, x, incx, A, lda,      \
                                    beta, y, incy);                                            \
    }
SIMGPU_GEMV(S, float)
SIMGPU_GEMV(D, double)

/** Copies of columns and of strided vectors between host and device. */
SIMGPU_API cublasStatus_t simgpu_copy_columns(int rows, int cols, int bytes, const void *from,
                                              int lda, void *to, int ldb, cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, (size_t)ldb * bytes, from, (size_t)lda * bytes,
                        (size_t)rows * bytes, (size_t)cols, kind) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
SIMGPU_API cublasStatus_t cublasSetMatrix(int rows, int cols, int bytes, const void *from,
                                          int lda, void *to, int ldb)
{
    return simgpu_copy_columns(rows, cols, bytes, from, lda, to, ldb, cudaMemcpyHostToDevice);
}
SIMGPU_API cublasStatus_t cublasSetVector(int n, int bytes, const void *from, int incx,
                                          void *to, int incy)
{
    return simgpu_copy_columns(1, n, bytes, from, incx, to, incy, cudaMemcpyHostToDevice);
}
SIMGPU_API cublasStatus_t cublasGetMatrix(int rows, int cols, int bytes, const void *from,
                                          int lda, void *to, int ldb)
{
    return simgpu_copy_columns(rows, cols, bytes, from, lda, to, ldb, cudaMemcpyDeviceToHost);
}
SIMGPU_API cublasStatus_t cublasGetVector(int n, int bytes, const void *from, int incx,
                                          void *to, int incy)
{
    return simgpu_copy_columns(1, n, bytes, from, incx, to, incy, cudaMemcpyDeviceToHost);
}
#endif
#endif
