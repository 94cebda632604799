/**
 * @file cublas.cpp
 * The part of cuBLAS that the ladder uses. Products are computed by OpenBLAS, loaded when the
 * first handle is created; without it, by plain loops. Nothing is counted.
 */
#include "../include/cublas_v2.h"
#include "internal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

struct cublasContext {
    cudaStream_t stream;
    cublasMath_t mode;
};

namespace simgpu
{

namespace
{

enum { cblas_column_major = 102, cblas_no_transpose = 111, cblas_transpose = 112 };

template <class T>
using Gemm = void (*)(int order, int transa, int transb, int m, int n, int k, T alpha, const T *a,
                      int lda, const T *b, int ldb, T beta, T *c, int ldc);

struct Blas {
    Gemm<float> sgemm = nullptr;
    Gemm<double> dgemm = nullptr;
    std::string name = "plain loops";

    Blas()
    {
        /* OpenBLAS knows processors by model, and takes one that is newer than itself for a very
           old one. What the processor can do is a better guide. */
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
            setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            setenv("OPENBLAS_CORETYPE", "Haswell", 0);
#endif
        const char *chosen = getenv("SIMGPU_OPENBLAS"); /* another library, or "none" */
        void *library = dlopen(chosen ? chosen : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        sgemm = reinterpret_cast<Gemm<float>>(dlsym(library, "cblas_sgemm"));
        dgemm = reinterpret_cast<Gemm<double>>(dlsym(library, "cblas_dgemm"));
        if (!sgemm || !dgemm) {
            sgemm = nullptr;
            dgemm = nullptr;
            return;
        }
        auto config = reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_config"));
        std::string text = config ? config() : "OpenBLAS";
        name = text.substr(0, text.find(' ', text.find(' ') + 1));
    }
};

const Blas &blas()
{
    static const Blas *loaded = new Blas;
    return *loaded;
}

Gemm<float> library_gemm(float)
{
    return blas().sgemm;
}
Gemm<double> library_gemm(double)
{
    return blas().dgemm;
}

/** C = alpha op(A) op(B) + beta C with loops, column by column of C. */
template <class T>
void plain_gemm(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b,
                int ldb, T beta, T *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        T *column = c + (size_t)j * ldc;
        for (int i = 0; i < m; i++)
            column[i] = beta == T(0) ? T(0) : beta * column[i];
        for (int l = 0; l < k; l++) {
            T factor = alpha * (tb ? b[j + (size_t)l * ldb] : b[l + (size_t)j * ldb]);
            if (ta)
                for (int i = 0; i < m; i++)
                    column[i] += a[l + (size_t)i * lda] * factor;
            else
                for (int i = 0; i < m; i++)
                    column[i] += a[i + (size_t)l * lda] * factor;
        }
    }
}

/** Bytes from the first to after the last element of a matrix. */
size_t span(int rows, int columns, int ld, size_t element)
{
    return rows > 0 && columns > 0 ? ((size_t)ld * (columns - 1) + rows) * element : 0;
}

/** Is a matrix inside one allocation, and was it written? Says what is wrong. */
bool usable(const char *call, const char *which, const void *matrix, int rows, int columns, int ld,
            size_t element, bool read)
{
    size_t bytes = span(rows, columns, ld, element);
    if (bytes == 0)
        return true;
    FaultPlace place;
    uint64_t offset = (uint64_t)((const unsigned char *)matrix - arena.base);
    const Allocation *a = arena.base && arena_contains(matrix) ? arena_find(offset) : nullptr;
    if (!a) {
        place.pc = calling_pc();
        host_fault(arena.base && arena_contains(matrix) ? SIMGPU_OUT_OF_BOUNDS_GLOBAL
                                                        : SIMGPU_DEVICE_TOUCHES_HOST,
                   place, nullptr, "%s: matrix %s is not device memory that is allocated now", call,
                   which);
        return false;
    }
    if (offset + bytes > a->offset + a->size) {
        place.pc = calling_pc();
        host_fault(SIMGPU_OUT_OF_BOUNDS_GLOBAL, place, nullptr,
                   "%s: matrix %s, column-major %d x %d with leading dimension %d, ends %llu bytes "
                   "after its "
                   "allocation of %llu",
                   call, which, rows, columns, ld,
                   (unsigned long long)(offset + bytes - a->offset - a->size),
                   (unsigned long long)a->size);
        return false;
    }
    if (read && !a->written_unseen)
        for (int j = 0; j < columns; j++) {
            uint64_t begin = offset + (uint64_t)ld * j * element;
            const uint8_t *state = arena.state + begin / 4;
            size_t words = (size_t)rows * element / 4;
            const void *unwritten = memchr(state, state_unwritten, words);
            if (unwritten) {
                place.pc = calling_pc();
                host_fault(SIMGPU_UNINITIALISED_GLOBAL, place, nullptr,
                           "%s: an element of matrix %s, in its column %d, was never written", call,
                           which, j);
                return true; /* go on, as a GPU does */
            }
        }
    return true;
}

template <class T> void mark_matrix(T *c, int rows, int columns, int ld)
{
    for (int j = 0; j < columns; j++)
        arena_mark(c + (size_t)j * ld, (size_t)rows * sizeof(T), state_written);
}

cublasStatus_t failed()
{
    faults_print();
    set_device_error(cudaErrorIllegalAddress);
    return CUBLAS_STATUS_EXECUTION_FAILED;
}

bool known(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

template <class T>
cublasStatus_t gemm(const char *call, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k, const T *alpha, const T *a,
                    int lda, const T *b, int ldb, const T *beta, T *c, int ldc)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
    if (m < 0 || n < 0 || k < 0 || !known(transa) || !known(transb) || !alpha || !beta ||
        lda < std::max(1, ta ? k : m) || ldb < std::max(1, tb ? n : k) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (device_error() != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    bool product = k > 0 && *alpha != T(0);
    if ((product && (!usable(call, "A", a, ta ? k : m, ta ? m : k, lda, sizeof(T), true) ||
                     !usable(call, "B", b, tb ? n : k, tb ? k : n, ldb, sizeof(T), true))) ||
        !usable(call, "C", c, m, n, ldc, sizeof(T), *beta != T(0)))
        return failed();
    ArenaAccess access;
    library_calls++;
    if (Gemm<T> library = library_gemm(T()))
        library(cblas_column_major, ta ? cblas_transpose : cblas_no_transpose,
                tb ? cblas_transpose : cblas_no_transpose, m, n, k, *alpha, a, lda, b, ldb, *beta,
                c, ldc);
    else
        plain_gemm(ta, tb, m, n, product ? k : 0, *alpha, a, lda, b, ldb, *beta, c, ldc);
    mark_matrix(c, m, n, ldc);
    faults_print();
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t geam(const char *call, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T *alpha, const T *a, int lda,
                    const T *beta, const T *b, int ldb, T *c, int ldc)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
    if (m < 0 || n < 0 || !known(transa) || !known(transb) || !alpha || !beta ||
        lda < std::max(1, ta ? n : m) || ldb < std::max(1, tb ? n : m) || ldc < std::max(1, m) ||
        (c == a && (ta || lda != ldc)) || (c == b && (tb || ldb != ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (device_error() != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    bool use_a = *alpha != T(0), use_b = *beta != T(0);
    if ((use_a && !usable(call, "A", a, ta ? n : m, ta ? m : n, lda, sizeof(T), true)) ||
        (use_b && !usable(call, "B", b, tb ? n : m, tb ? m : n, ldb, sizeof(T), true)) ||
        !usable(call, "C", c, m, n, ldc, sizeof(T), false))
        return failed();
    ArenaAccess access;
    library_calls++;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T sum = T(0);
            if (use_a)
                sum += *alpha * (ta ? a[j + (size_t)i * lda] : a[i + (size_t)j * lda]);
            if (use_b)
                sum += *beta * (tb ? b[j + (size_t)i * ldb] : b[i + (size_t)j * ldb]);
            c[i + (size_t)j * ldc] = sum;
        }
    mark_matrix(c, m, n, ldc);
    faults_print();
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t batched(const char *call, cublasHandle_t handle, cublasOperation_t transa,
                       cublasOperation_t transb, int m, int n, int k, const T *alpha, const T *a,
                       int lda, long long stride_a, const T *b, int ldb, long long stride_b,
                       const T *beta, T *c, int ldc, long long stride_c, int count)
{
    if (count < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < count; i++) {
        cublasStatus_t status = gemm(call, handle, transa, transb, m, n, k, alpha, a + i * stride_a,
                                     lda, b + i * stride_b, ldb, beta, c + i * stride_c, ldc);
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

} // namespace simgpu

using namespace simgpu;

extern "C" {

const char *simgpu_blas_name()
{
    return blas().name.c_str();
}

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    blas();
    *handle = new cublasContext();
    return CUBLAS_STATUS_SUCCESS;
}

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
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *mode = handle->mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t)
{
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an invalid value was used as an argument"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
};

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (auto &s : statuses)
        if (s.status == status)
            return s.name;
    return "unknown status";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (auto &s : statuses)
        if (s.status == status)
            return s.text;
    return "unknown status";
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *A, int lda, const float *B, int ldb, const float *beta,
                           float *C, int ldc)
{
    return gemm("cublasSgemm", handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C,
                ldc);
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *A, int lda, const double *B, int ldb, const double *beta,
                           double *C, int ldc)
{
    return gemm("cublasDgemm", handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C,
                ldc);
}

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float *alpha,
                           const float *A, int lda, const float *beta, const float *B, int ldb,
                           float *C, int ldc)
{
    return geam("cublasSgeam", handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double *alpha,
                           const double *A, int lda, const double *beta, const double *B, int ldb,
                           double *C, int ldc)
{
    return geam("cublasDgeam", handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *A, int lda,
                                         long long strideA, const float *B, int ldb,
                                         long long strideB, const float *beta, float *C, int ldc,
                                         long long strideC, int batchCount)
{
    return batched("cublasSgemmStridedBatched", handle, transa, transb, m, n, k, alpha, A, lda,
                   strideA, B, ldb, strideB, beta, C, ldc, strideC, batchCount);
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double *alpha, const double *A, int lda,
                                         long long strideA, const double *B, int ldb,
                                         long long strideB, const double *beta, double *C, int ldc,
                                         long long strideC, int batchCount)
{
    return batched("cublasDgemmStridedBatched", handle, transa, transb, m, n, k, alpha, A, lda,
                   strideA, B, ldb, strideB, beta, C, ldc, strideC, batchCount);
}

} // extern "C"
