/**
 * @file gemm_context.cuh
 * A context of step 18 for work inside the library.
 */
#ifndef STEPS_20_LIBRARY_GEMM_CONTEXT_CUH
#define STEPS_20_LIBRARY_GEMM_CONTEXT_CUH

#include <stdio.h>

#include "methods.h"
#include "steps/18-modern/context.cuh"

/// [failures]
/* The steps end the program when a call fails. A library must not: it notes the first failure,
   and calls nothing more. */
static inline void note_failure(const struct gpu_context *x, int kind, const char *call,
                                const char *file, int line, int code)
{
    const char *why = kind == FAILURE_CUDA ? cudaGetErrorString((cudaError_t)code)
                                           : cublasGetStatusString((cublasStatus_t)code);
    x->failure->status = kind;
    snprintf(x->failure->message, sizeof x->failure->message, "%s: %s", call, why);
}

static inline struct gpu_context context_for(const struct gemm_context *w)
{
    struct gpu_context x = {};
    x.stream = w->stream;
    x.cublas = w->cublas;
    x.lanes = w->lanes;
    x.leaf = multiply_by_cublas;
    x.failure = w->failure;
    x.failed = note_failure;
    return x;
}
/// [failures]

#endif
