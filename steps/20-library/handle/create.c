/* SPDX-License-Identifier: MIT */
/** @file create.c
 * Makes handles and ends them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps/20-library/library.h"

/* Rates of this device, for predictions: bytes per millisecond that its memory moves, both
   ways, and flops per millisecond of cuBLAS in float, four fifths of the multiprocessors' peak
   at their highest clock. Where CUDA has no attribute for a rate it is a guess. */
static void set_rates(struct ladder_gemm *h)
{
    h->bytes_per_ms = 1e9, h->flops_per_ms = 1e10;
#ifndef LADDER_SIM                                  /* it has no clocks */
    int memory = 0, bits = 0, processors = 0;       /* kilohertz, and the width of the bus */
    int lanes = h->gpu.capability <= 80 ? 64 : 128; /* for floats, in a multiprocessor */
    cudaDeviceGetAttribute(&memory, cudaDevAttrMemoryClockRate, h->device);
    cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, h->device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrClockRate, h->device);
    if (memory > 0 && bits > 0)
        h->bytes_per_ms = 0.85 * 2.0 * memory * bits / 8; /* two transfers per clock */
    if (processors > 0)
        h->flops_per_ms = 0.8 * 2 * lanes * h->gpu.multiprocessors * (double)processors;
#endif
}

/* Why this thread's last ladder_gemm_create() failed. */
static _Thread_local char not_created[sizeof((struct ladder_gemm *)0)->failure.message + 64];

static int no_handle(int status, const char *why)
{
    snprintf(not_created, sizeof not_created, "ladder_gemm_create: %s", why);
    return status;
}

int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file)
{
    *not_created = 0;
    if (!handle)
        return no_handle(1, "`handle` is NULL");
    *handle = NULL;
    struct ladder_gemm *h = calloc(1, sizeof *h);
    if (!h)
        return no_handle(LADDER_GEMM_NO_MEMORY, "no memory on the host");
    h->gpu.failure = &h->failure, h->gpu.failed = note_failure;
    int version = 0, devices = 0;
    struct cudaDeviceProp properties = {.multiProcessorCount = 0};
    cudaGetDevice(&h->device); /* where it fails, begin() says so */
    struct outside was = begin_call(h);
    TRY(h, cudaGetDeviceProperties(&properties, h->device));
    TRY(h, cudaGetDeviceCount(&devices));
    h->is_only_device = devices == 1;
    cublasStatus_t status_of_cublas = CUBLAS_STATUS_SUCCESS;
    if (!h->failure.status)
        status_of_cublas = cublasCreate(&h->gpu.cublas);
    if (!h->failure.status && status_of_cublas == CUBLAS_STATUS_SUCCESS)
        status_of_cublas = cublasGetVersion(h->gpu.cublas, &version);
    if (status_of_cublas != CUBLAS_STATUS_SUCCESS)
        note_failure(&h->gpu, FAILURE_CUBLAS, "cublasCreate", __FILE__, __LINE__,
                     (int)status_of_cublas);
    TRY(h, cudaEventCreate(&h->begun));
    TRY(h, cudaEventCreate(&h->ended));
    TRY(h, cudaEventCreateWithFlags(&h->last, cudaEventDisableTiming));
    snprintf(h->gpu_name, sizeof h->gpu_name, "%s, cuBLAS %d, ladder_gemm %d.%d",
             properties.name, version, LADDER_GEMM_VERSION_MAJOR, LADDER_GEMM_VERSION_MINOR);
    h->gpu.multiprocessors = properties.multiProcessorCount;
    h->gpu.capability = 10 * properties.major + properties.minor;
    set_rates(h);
    h->smallest_leaf = SMALLEST_LEAF, h->most_levels = MOST_LEVELS;
    h->limit = SIZE_MAX;
    h->measures = tuning_file != NULL, h->accurate = true;
    forget_product(h);
    if (!h->failure.status) {
        struct context ctx = library_context(h, NULL);
        h->gpu.lanes = ladder_make_lanes(&ctx);
        ladder_f32.load(&ctx), ladder_f64.load(&ctx);
        for (int i = 0; ladder_added[i]; i++)
            if (!ladder_added[i]->missing())
                h->added |= 1u << i, ladder_added[i]->load(&ctx);
        read_shipped_plans(h);
    }
    if (!h->failure.status && tuning_file)
        read_plans(h, tuning_file);
    int status = h->failure.status;
    if (!status && (!h->gpu.lanes || (tuning_file && !h->file && !*h->message)))
        status = LADDER_GEMM_NO_MEMORY;
    leave_call(h, was);
    if (status) {
        no_handle(status, *h->failure.message ? h->failure.message : "no memory on the host");
        ladder_gemm_destroy(h);
        return status;
    }
    *handle = h;
    return 0;
}

void ladder_gemm_destroy(ladder_gemm_t h)
{
    if (!h)
        return;
    struct outside was = begin_call(h);
    free_workspace(h), free_parts(h);
    free_captured(h, true); /* its graphs end with the handle */
    cudaEvent_t events[] = {h->begun, h->ended, h->last};
    for (int i = 0; i < 3; i++)
        if (events[i])
            TRY(h, cudaEventDestroy(events[i]));
    ladder_free_lanes(h->gpu.lanes);
    if (h->gpu.cublas)
        cublasDestroy(h->gpu.cublas);
    leave_call(h, was);
    free(h->captured);
    free(h->found.entries), free(h->shipped.entries);
    free(h->file);
    free(h);
}

const char *ladder_gemm_message(ladder_gemm_t h) { return h ? h->message : not_created; }
