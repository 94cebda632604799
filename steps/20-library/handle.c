/* SPDX-License-Identifier: MIT */
/** @file handle.c
 * What belongs to a handle: its messages and failures, and the workspace of its products.
 */
#include <stdio.h>
#include <stdlib.h>

#include "library.h"

void tell(struct ladder_gemm *h, bool loud)
{
    if (loud)
        fprintf(stderr, "%s\n", h->message);
}

void note_failure(const struct gpu *gpu, int kind, const char *call, const char *file, int line,
                  int code)
{
    const char *why = kind == FAILURE_CUDA ? cudaGetErrorString((cudaError_t)code)
                                           : cublasGetStatusString((cublasStatus_t)code);
    gpu->failure->status = kind;
    snprintf(gpu->failure->message, sizeof gpu->failure->message, "%s: %s", call, why);
}

struct context library_context(struct ladder_gemm *h, const struct typed_methods *of)
{
    return (struct context){.leaf = of ? of->leaf : NULL, .stream = h->stream, .gpu = &h->gpu};
}

void checked(struct ladder_gemm *h, cudaError_t status, const char *call)
{
    if (status != cudaSuccess && !h->failure.status)
        note_failure(&h->gpu, FAILURE_CUDA, call, __FILE__, __LINE__, (int)status);
}

bool is_capturing(cudaStream_t stream)
{
#ifdef LADDER_SIM /* the simulated GPU has no graphs */
    (void)stream;
    return false;
#else
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
#endif
}

void free_workspace(struct ladder_gemm *h)
{
    if (h->workspace && !h->callers) {
        void **more = h->captured
                          ? realloc(h->retired, (h->retired_count + 1) * sizeof *h->retired)
                          : NULL;
        if (more) {
            h->retired = more;
            h->retired[h->retired_count++] = h->workspace;
        } else if (!h->captured) { /* a graph's workspace rather leaks than goes */
            TRY(h, cudaFree(h->workspace));
        }
    }
    h->workspace = NULL, h->held = 0, h->captured = false, h->callers = false;
}

static bool get_workspace(struct ladder_gemm *h, size_t bytes)
{
    if (h->failure.status || cudaMalloc(&h->workspace, bytes) != cudaSuccess) {
        cudaGetLastError(); /* no failure: the caller does with less */
        h->workspace = NULL;
        return false;
    }
    h->held = bytes;
    return true;
}

bool grow_workspace(struct ladder_gemm *h, size_t bytes)
{
    size_t before = h->held;
    if (bytes > h->limit)
        return false;
    if (bytes <= h->held)
        return true;
    if (h->callers || is_capturing(h->stream) || (h->refused && bytes >= h->refused))
        return false; /* a size that was refused is not asked for again in every call */
    free_workspace(h);
    if (get_workspace(h, bytes))
        return true;
    h->refused = bytes;
    if (before)
        get_workspace(h, before);
    return false;
}
