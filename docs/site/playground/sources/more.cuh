/* SPDX-License-Identifier: MIT */
/** @file more.cuh
 * What steps 07, 11, 14 and 15 need in the playground besides step.cuh: a backend, cuBLAS, and
 * what measures. Nothing is measured here: on the simulated GPU nothing has a time. What only
 * a measurement needs says so and ends the program.
 */
#ifndef DOCS_SITE_PLAYGROUND_SOURCES_MORE_CUH
#define DOCS_SITE_PLAYGROUND_SOURCES_MORE_CUH

#define PLAYGROUND_ACTIONS /* step.cuh: the program has actions besides variants */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/libraries/cublas.h"
#include "common/device/gpu.h"
#include "common/device/host.h"
#include "common/measure/json.c"
#include "common/measure/report.h"
#include "common/measure/timed_variant.h"
#include "common/precision.c"
#include "steps/04-cpu-strassen/threshold/threshold.h"

void say(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
}

static const char *playground_device(void) { return "the simulated GPU"; }
static void playground_start(void) {}
static double playground_stop(void) { return 1; }

static size_t playground_free(void)
{
    size_t left, all;
    CUDA_CHECK(cudaMemGetInfo(&left, &all));
    return left;
}

static void *playground_allocate(size_t bytes)
{
    void *block = NULL;
    return cudaMalloc(&block, bytes) == cudaSuccess ? block : NULL;
}

static void playground_release(void *block) { CUDA_CHECK(cudaFree(block)); }

static void playground_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t rows)
{
    CUDA_CHECK(
        cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDeviceToDevice));
}

static void playground_fill(void *block, int byte, size_t bytes)
{
    CUDA_CHECK(cudaMemset(block, byte, bytes));
}

static void playground_vendor(enum precision precision, struct product p)
{
    const float one = 1, zero = 0;
    CUBLAS_CHECK(cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)p.c.cols,
                             (int)p.c.rows, (int)p.a.cols, &one, p.b.at, (int)p.b.ld, p.a.at,
                             (int)p.a.ld, p.accumulate ? &one : &zero, p.c.at, (int)p.c.ld));
}

const struct backend backend = {
    .name = "sim",
    .simulated = true,
    .device = playground_device,
    .memory_free = playground_free,
    .allocate = playground_allocate,
    .release = playground_release,
    .copy_2d = playground_copy,
    .fill = playground_fill,
    .start = playground_start,
    .stop = playground_stop,
    .vendor_multiply = playground_vendor,
};

cublasHandle_t gpu_cublas(void)
{
    static cublasHandle_t handle;
    if (!handle)
        CUBLAS_CHECK(cublasCreate(&handle));
    return handle;
}

void cublas_failed(const char *what, const char *file, int line, int code)
{
    fprintf(stderr, "%s:%d: %s: status %d\n", file, line, what, code);
    exit(EXIT_WRONG);
}

void time_in_turn(struct contestant *all, int count, int rounds)
{
    for (int i = 0; i < count; i++)
        all[i].run(all[i].what);
}

void warm_up_in_turn(struct contestant *all, int count, int rounds) {}
void report_progress(const struct options *options, const char *format, ...) {}

static void playground_has_no(const char *what)
{
    printf("the playground has no %s\n", what);
    exit(EXIT_USAGE);
}

int find_threshold_of(const struct options *options, const struct variant *method,
                      const char *name)
{
    playground_has_no("--find-threshold");
    return EXIT_USAGE;
}

bool no_times(const char *option, const struct leaf *leaf) { return true; }

struct context context_of(const struct options *options)
{
    struct context ctx = {0};
    ctx.threads = 1;
    memcpy(ctx.settings, options->settings, sizeof ctx.settings);
    return ctx;
}

#endif
