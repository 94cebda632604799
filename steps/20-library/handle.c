/**
 * @file handle.c
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

void checked(struct ladder_gemm *h, cudaError_t status, const char *call)
{
    if (status == cudaSuccess || h->failure.status)
        return;
    h->failure.status = LADDER_GEMM_CUDA;
    snprintf(h->failure.message, sizeof h->failure.message, "%s: %s", call,
             cudaGetErrorString(status));
}

struct gemm_context gemm_context_of(struct ladder_gemm *h)
{
    return (struct gemm_context){h->stream, h->cublas, h->lanes, &h->failure};
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
