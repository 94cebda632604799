/* SPDX-License-Identifier: MIT */
/* A library for preload.c that multiplies nothing: it prints the calls that it gets.
   FAKE_STATUS is what its products return. It also has the CUDA functions that preload.c calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "library.h"
#include "methods.h"

const struct method *const ladder_added[] = {NULL};
static int handles;

int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file)
{
    *handle = calloc(1, sizeof **handle);
    (*handle)->device = ++handles;
    return 0;
}

void ladder_gemm_destroy(ladder_gemm_t h) { free(h); }

void ladder_gemm_limit_workspace(ladder_gemm_t h, size_t bytes)
{
    printf("handle %d may hold %zu\n", h->device, bytes);
}

static int product(ladder_gemm_t h, const char *name, int m)
{
    const char *status = getenv("FAKE_STATUS");
    printf("%s %d by handle %d\n", name, m, h->device);
    return status ? atoi(status) : 0;
}

int ladder_sgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const float *alpha, const float *A, int lda, const float *B,
                 int ldb, const float *beta, float *C, int ldc)
{
    return product(h, "ladder_sgemm", m);
}

int ladder_dgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const double *alpha, const double *A, int lda, const double *B,
                 int ldb, const double *beta, double *C, int ldc)
{
    return product(h, "ladder_dgemm", m);
}

int ladder_zgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
                 int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int lda,
                 const cuDoubleComplex *B, int ldb, const cuDoubleComplex *beta,
                 cuDoubleComplex *C, int ldc)
{
    return product(h, "ladder_zgemm", m);
}

int ladder_dsyrk(ladder_gemm_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,
                 const double *alpha, const double *A, int lda, const double *beta, double *C,
                 int ldc)
{
    return product(h, "ladder_dsyrk", n);
}

int ladder_sgemm_strided_batched(ladder_gemm_t h, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const float *alpha, const float *A, int lda,
                                 long long stride_a, const float *B, int ldb,
                                 long long stride_b, const float *beta, float *C, int ldc,
                                 long long stride_c, int count)
{
    return product(h, "ladder_sgemm_strided_batched", m);
}

struct ladder_done ladder_gemm_last(ladder_gemm_t h)
{
    return (struct ladder_done){.ran = {"own", 0, 0}};
}

const char *ladder_gemm_message(ladder_gemm_t h) { return h ? "a launch failed" : ""; }
void ladder_gemm_most_levels(ladder_gemm_t h, int levels) {}
int ladder_gemm_set_math_mode(ladder_gemm_t h, int mode) { return 0; }
int ladder_gemm_set_double_mode(ladder_gemm_t h, int mode) { return 0; }
void ladder_gemm_set_accurate(ladder_gemm_t h, int on) {}
void ladder_gemm_set_stream(ladder_gemm_t h, cudaStream_t stream) {}
void ladder_gemm_device_scalars(ladder_gemm_t h, int on) {}
const char *cudaGetErrorString(cudaError_t status) { return ""; }
bool is_capturing(cudaStream_t stream) { return false; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t *unused, size_t *memory)
{
    return *unused = *memory = 3000000, cudaSuccess;
}
