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
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
}

/* The number of the capture that the stream takes part in; 0: none. */
static unsigned long long capture_of(cudaStream_t stream)
{
    unsigned long long number = 0;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
    if (cudaStreamGetCaptureInfo(stream, &status, &number, NULL, NULL, NULL, NULL) !=
        cudaSuccess)
#else
    if (cudaStreamGetCaptureInfo(stream, &status, &number) != cudaSuccess)
#endif
        number = 0;
    return number;
}

struct space *space_of(struct ladder_gemm *h)
{
    if (h->callers || !is_capturing(h->stream))
        return &h->workspace;
    unsigned long long capture = capture_of(h->stream);
    if (capture != h->capture)
        retire_graphs(h);
    h->capture = capture;
    return &h->graphs;
}

void free_workspace(struct ladder_gemm *h)
{
    if (h->workspace.at && !h->callers)
        TRY(h, cudaFree(h->workspace.at));
    h->workspace = (struct space){NULL, 0}, h->callers = false;
}

void retire_graphs(struct ladder_gemm *h)
{
    if (h->graphs.at) {
        void **more = realloc(h->retired, (h->retired_count + 1) * sizeof *h->retired);
        if (more) { /* otherwise it leaks: a graph may still use it */
            h->retired = more;
            h->retired[h->retired_count++] = h->graphs.at;
        }
    }
    h->graphs = (struct space){NULL, 0};
}

static bool get_space(struct ladder_gemm *h, struct space *space, size_t bytes)
{
    if (h->failure.status || cudaMalloc(&space->at, bytes) != cudaSuccess) {
        cudaGetLastError(); /* not a failure: the caller makes do with less */
        *space = (struct space){NULL, 0};
        return false;
    }
    space->held = bytes;
    return true;
}

bool grow_workspace(struct ladder_gemm *h, size_t bytes)
{
    struct space *space = space_of(h);
    size_t before = space->held;
    if (bytes > h->limit)
        return false;
    if (bytes <= space->held)
        return true;
    if (h->callers || (h->refused && bytes >= h->refused))
        return false; /* once refused, a size is not asked for again in every call */
    if (space == &h->graphs)
        retire_graphs(h);
    else
        free_workspace(h);
    if (get_space(h, space, bytes))
        return true;
    h->refused = bytes;
    if (before)
        get_space(h, space, before);
    return false;
}

struct outside begin_call(struct ladder_gemm *h)
{
    struct outside was = {.device = h->device, .mode = cudaStreamCaptureModeRelaxed};
    h->failure.status = 0;
    cudaThreadExchangeStreamCaptureMode(&was.mode);
    TRY(h, cudaGetDevice(&was.device));
    if (was.device != h->device)
        TRY(h, cudaSetDevice(h->device));
    return was;
}

void leave_call(struct ladder_gemm *h, struct outside was)
{
    if (was.device != h->device)
        cudaSetDevice(was.device);
    cudaThreadExchangeStreamCaptureMode(&was.mode);
}

int end_call(struct ladder_gemm *h, struct outside was)
{
    if (h->failure.status) { /* what the methods have queued so far must end first */
        snprintf(h->message, sizeof h->message, "%s", h->failure.message);
        cudaDeviceSynchronize();
        cudaGetLastError(); /* or the next call would report this failure */
    }
    leave_call(h, was);
    return h->failure.status;
}
