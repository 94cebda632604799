/* SPDX-License-Identifier: MIT */
/** @file program.cuh
 * Steps 18, 19 and 21 as programs: their only handle, the lanes, and the end at a failure.
 */
#ifndef STEPS_18_MODERN_PROGRAM_CUH
#define STEPS_18_MODERN_PROGRAM_CUH

#include "lanes.cuh"

static inline void end_program(const struct gpu *gpu, int kind, const char *call,
                               const char *file, int line, int code)
{
    if (kind == FAILURE_CUDA)
        gpu_failed(call, file, line, code, cudaGetErrorString((cudaError_t)code));
    else
        cublas_failed(call, file, line, code);
}

/** The runner's context with the program's GPU, in the default stream. The lanes
 * are made once. */
static inline struct context program_context(const struct context *x)
{
    static struct lanes lanes;
    static struct gpu gpu;
    struct context program = *x;
    gpu = (struct gpu){gpu_cublas(), &lanes, NULL, end_program};
    program.gpu = &gpu;
    program.leaf = &leaf_by_cublas;
    if (!lanes.main_done)
        make_lanes(&program, &lanes);
    return program;
}

/** multiply_NAME() for a table: NAME in the program's context. */
#define IN_PROGRAM(name)                                                                       \
    static void multiply_##name(const struct context *x, struct product p, int levels,         \
                                real *workspace)                                               \
    {                                                                                          \
        struct context program = program_context(x);                                           \
        name(&program, p, levels, workspace);                                                  \
    }

/** A row for it. */
#define WINOGRAD_ROW(variant_name, text, function)                                             \
    {                                                                                          \
        .name = variant_name, .sentence = text, .multiply = multiply_##function,               \
        .workspace = workspace_##function, .cost = model_winograd_flops,                       \
        .bound = {.kind = BOUND_WINOGRAD}, .shapes = {                                         \
            .pad_m = 4,                                                                        \
            .pad_n = 4,                                                                        \
            .pad_k = 4                                                                         \
        }                                                                                      \
    }

#endif
