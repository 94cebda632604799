/* SPDX-License-Identifier: MIT */
/** @file handle.c
 * A handle's messages and failures, and the workspace of its calls.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "steps/20-library/library.h"

void tell(struct ladder_gemm *h, bool loud)
{
    if (loud)
        fprintf(stderr, "%s\n", h->message);
}

void note_failure(const struct gpu *gpu, int kind, const char *call, const char *file, int line,
                  int code)
{
    (void)file, (void)line; /* of this library: useless to its caller */
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

/* The number of the capture that the stream takes part in, and its graph so far; 0: none. */
static unsigned long long capture_of(cudaStream_t stream, cudaGraph_t *graph)
{
    unsigned long long number = 0;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
    if (cudaStreamGetCaptureInfo(stream, &status, &number, graph, NULL, NULL, NULL) !=
        cudaSuccess)
#else
    if (cudaStreamGetCaptureInfo_v2(stream, &status, &number, graph, NULL, NULL) != cudaSuccess)
#endif
        number = 0;
    return number;
}

struct space *space_of(struct ladder_gemm *h)
{
    cudaGraph_t graph;
    if (h->callers || !is_capturing(h->stream))
        return &h->workspace;
    unsigned long long capture = capture_of(h->stream, &graph);
    if (capture != h->capture)
        h->graphs = h->graph_parts = (struct space){NULL, 0};
    h->capture = capture;
    return &h->graphs;
}

void free_workspace(struct ladder_gemm *h)
{
    if (h->workspace.at && !h->callers)
        TRY(h, cudaFree(h->workspace.at));
    h->workspace = (struct space){NULL, 0}, h->callers = false;
}

/* ---- Workspace of captures ---- */

/* The handle and a graph share it: `owners` is 2 while both exist. The function that CUDA calls
   when the graph is destroyed may not call CUDA, so the handle frees the memory. */
struct captured_space {
    void *at;
    atomic_int owners;
};

static void leave_space(void *captured)
{
    struct captured_space *c = captured;
    if (atomic_fetch_sub(&c->owners, 1) == 1)
        free(c);
}

/* Makes the graph that is being captured an owner of the memory; the handle is the other. */
static bool share_with_graph(struct ladder_gemm *h, void *memory)
{
    cudaGraph_t graph = NULL;
    cudaUserObject_t object;
    struct captured_space *c = malloc(sizeof *c);
    void *more = realloc(h->captured, (h->captured_count + 1) * sizeof *h->captured);
    h->captured = more ? more : h->captured;
    if (!c || !more) {
        free(c);
        return false;
    }
    c->at = memory;
    atomic_init(&c->owners, 2);
    capture_of(h->stream, &graph);
    if (cudaUserObjectCreate(&object, c, leave_space, 1, cudaUserObjectNoDestructorSync) !=
        cudaSuccess) {
        free(c);
        return false;
    }
    if (cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) != cudaSuccess) {
        leave_space(c);
        cudaUserObjectRelease(object, 1); /* calls leave_space() again */
        return false;
    }
    h->captured[h->captured_count++] = c;
    return true;
}

void free_captured(struct ladder_gemm *h, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->captured_count; i++) {
        struct captured_space *c = h->captured[i];
        if (!all && atomic_load(&c->owners) == 2) {
            h->captured[kept++] = c;
            continue;
        }
        if (h->graphs.at == c->at)
            h->graphs = (struct space){NULL, 0};
        if (h->graph_parts.at == c->at)
            h->graph_parts = (struct space){NULL, 0};
        TRY(h, cudaFree(c->at));
        leave_space(c);
    }
    h->captured_count = kept;
}

/* ---- Growing ---- */

static bool get_space(struct ladder_gemm *h, struct space *space, size_t bytes)
{
    struct space got = {NULL, bytes};
    bool had = !h->failure.status && cudaMalloc(&got.at, bytes) == cudaSuccess;
    if (had && space == &h->graphs && !share_with_graph(h, got.at)) {
        cudaFree(got.at);
        had = false;
    }
    if (had)
        *space = got;
    else
        cudaGetLastError(); /* not a failure: the caller makes do with less */
    return had;
}

bool grow_workspace(struct ladder_gemm *h, size_t bytes)
{
    struct space *space = space_of(h),
                 *other = space == &h->workspace ? &h->parts : &h->graph_parts;
    size_t before = space->held, all;
    if (bytes > h->limit)
        return false;
    if (bytes <= space->held)
        return true;
    if (h->callers || (h->refused && bytes >= h->refused))
        return false; /* asked for again when more memory is free: see is_room_again() */
    if (bytes + other->held > h->limit) {
        if (other != &h->parts || h->has_parts)
            return false; /* the other is in use, or belongs to a graph */
        free_parts(h);
    }
    if (space == &h->workspace)
        free_workspace(h);
    if (get_space(h, space, bytes))
        return true;
    h->refused = bytes;
    if (before && space == &h->workspace)
        get_space(h, space, before);
    if (cudaMemGetInfo(&h->free_then, &all) != cudaSuccess)
        h->free_then = SIZE_MAX;
    return false;
}

/* ---- Parts of complex matrices ---- */

static void exchange(struct space *x, struct space *y)
{
    struct space was = *x;
    *x = *y, *y = was;
}

static void exchange_parts(struct ladder_gemm *h)
{
    exchange(&h->workspace, &h->parts);
    exchange(&h->graphs, &h->graph_parts);
}

void *take_parts(struct ladder_gemm *h, size_t bytes)
{
    void *at = NULL;
    if (!h->callers) {
        exchange_parts(h);
        at = grow_workspace(h, bytes) ? space_of(h)->at : NULL;
        exchange_parts(h);
        h->has_parts = at != NULL;
    } else if (bytes <= h->workspace.held && bytes <= h->limit) {
        at = h->workspace.at, h->limit -= bytes;
        h->workspace.at = (char *)at + bytes, h->workspace.held -= bytes;
    }
    return at;
}

void give_parts_back(struct ladder_gemm *h, size_t bytes)
{
    h->has_parts = false;
    if (h->callers) {
        h->workspace.at = (char *)h->workspace.at - bytes, h->workspace.held += bytes;
        h->limit += bytes;
    }
}

void free_parts(struct ladder_gemm *h)
{
    exchange_parts(h);
    free_workspace(h);
    exchange_parts(h);
}

bool is_room_again(struct ladder_gemm *h)
{
    size_t now, all;
    if (!h->refused || cudaMemGetInfo(&now, &all) != cudaSuccess || now <= h->free_then ||
        now + h->workspace.held < h->refused)
        return false;
    h->refused = 0;
    return true;
}

struct outside begin_call(struct ladder_gemm *h)
{
    struct outside was = {.device = h->device, .mode = cudaStreamCaptureModeRelaxed};
    size_t now, all;
    h->failure.status = 0;
    h->gpu.before = (int)cudaPeekAtLastError();
    cudaThreadExchangeStreamCaptureMode(&was.mode);
    TRY(h, cudaGetDevice(&was.device));
    if (was.device != h->device)
        TRY(h, cudaSetDevice(h->device));
    if (h->gpu.before) /* one that ended the thread's use of the device fails here, too */
        TRY(h, cudaMemGetInfo(&now, &all));
    free_captured(h, false);
    return was;
}

void leave_call(struct ladder_gemm *h, struct outside was)
{
    if (was.device != h->device)
        cudaSetDevice(was.device);
    cudaThreadExchangeStreamCaptureMode(&was.mode);
}

int end_product(struct ladder_gemm *h)
{
    if (h->failure.status) { /* wait for what the methods have queued */
        snprintf(h->message, sizeof h->message, "%s", h->failure.message);
        cudaDeviceSynchronize();
        cudaGetLastError(); /* or the next call would report this failure */
    }
    return h->failure.status;
}

int end_call(struct ladder_gemm *h, struct outside was)
{
    end_product(h);
    leave_call(h, was);
    return h->failure.status;
}
