/**
 * @file program.cuh
 * The door of steps 18 and 19: from the runner's problem to a method of these steps.
 */
#ifndef STEPS_18_MODERN_PROGRAM_CUH
#define STEPS_18_MODERN_PROGRAM_CUH

#include "lanes.cuh"

static inline void end_program(const struct gpu_context *x, int kind, const char *call,
                               const char *file, int line, int code)
{
    if (kind == FAILURE_CUDA)
        gpu_failed(call, file, line, code, cudaGetErrorString((cudaError_t)code));
    else
        cublas_failed(call, file, line, code);
}

/** The program's context: its only handle, lanes that are made once, the default stream. */
static inline struct gpu_context program_context(void)
{
    static struct lanes lanes;
    struct gpu_context x = {};
    x.cublas = gpu_cublas();
    x.leaf = multiply_by_cublas;
    x.failed = end_program;
    x.lanes = &lanes;
    if (!lanes.main_done)
        make_lanes(&x, &lanes);
    return x;
}

/** multiply_NAME() and workspace_NAME() for a table: the method NAME, and NAME_elements(). */
#define DOOR(name)                                                                             \
    static void multiply_##name(const struct problem *p, void *workspace)                      \
    {                                                                                          \
        struct gpu_context x = program_context();                                              \
        name(&x, product_of(p), p->levels, (real *)workspace);                                 \
    }                                                                                          \
    static size_t workspace_##name(const struct problem *p)                                    \
    {                                                                                          \
        return name##_elements(p->m, p->n, p->k, p->levels);                                   \
    }

/** A row for it. */
#define WINOGRAD_ROW(variant_name, text, function)                                             \
    {                                                                                          \
        .name = variant_name, .sentence = text, .multiply = multiply_##function,               \
        .workspace = workspace_##function, .cost = model_winograd_flops,                       \
        .bound = BOUND_WINOGRAD, .multiple_m = 4, .multiple_n = 4, .multiple_k = 4             \
    }

#endif
