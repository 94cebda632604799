/* SPDX-License-Identifier: MIT */
/** @file settings.c
 * The settings of a handle, and the functions for tuners and tests.
 */
#include <stdint.h>
#include <stdio.h>

#include "steps/20-library/library.h"

void ladder_gemm_set_stream(ladder_gemm_t h, cudaStream_t stream)
{
    struct outside was = begin_call(h);
    if (h->used && stream != h->stream && !is_capturing(stream))
        TRY(h, cudaStreamWaitEvent(stream, h->last, 0));
    if (stream != h->stream)
        forget_calls(h); /* cuBLAS may need memory for its first product in a stream */
    h->stream = stream;
    if (cublasSetStream(h->gpu.cublas, stream) == CUBLAS_STATUS_SUCCESS)
        h->gpu.home = stream; /* otherwise each product sets it, and reports the failure */
    end_call(h, was);
}

void ladder_gemm_device_scalars(ladder_gemm_t h, int on)
{
    h->device_scalars = on != 0, h->same.of = NULL;
}

int ladder_gemm_set_workspace(ladder_gemm_t h, void *workspace, size_t bytes)
{
    if ((uintptr_t)workspace % 256)
        return 2;
    struct outside was = begin_call(h);
    free_workspace(h), free_parts(h);
    if (workspace)
        h->workspace = (struct space){workspace, bytes}, h->callers = true;
    forget_calls(h), forget_limited(h);
    end_call(h, was);
    return 0;
}

struct ladder_done ladder_gemm_last(ladder_gemm_t h) { return h->done; }

int ladder_gemm_pieces(ladder_gemm_t h) { return h->pieces; }

void ladder_gemm_limit_workspace(ladder_gemm_t h, size_t bytes)
{
    struct outside was = begin_call(h);
    h->limit = bytes, h->refused = 0;
    forget_calls(h);
    if (h->workspace.held + h->parts.held > bytes && !h->callers)
        free_workspace(h), free_parts(h);
    forget_limited(h);
    end_call(h, was);
}

void ladder_gemm_most_levels(ladder_gemm_t h, int levels)
{
    h->most_levels = levels < 0 ? 0 : levels > MOST_LEVELS ? MOST_LEVELS : levels;
    forget_calls(h);
}

int ladder_gemm_set_math_mode(ladder_gemm_t h, int mode)
{
    if (mode < 0 || mode >= MATH_MODES)
        return 2;
    struct outside was = begin_call(h);
    h->math = mode, h->same.of = NULL;
    bool used = mode == math_of(h, &ladder_f32);
    if (!used)
        snprintf(h->message, sizeof h->message,
                 "no tensor cores are used: this library has no methods for them");
    for (int i = 0; !used && ladder_added[i]; i++)
        if (ladder_added[i]->math == mode && !ladder_added[i]->wide)
            snprintf(h->message, sizeof h->message, "no tensor cores are used: %s",
                     ladder_added[i]->missing() ? ladder_added[i]->missing() : "not supported");
    int status = end_call(h, was);
    return status || used ? status : LADDER_GEMM_UNSUPPORTED;
}

int ladder_gemm_set_double_mode(ladder_gemm_t h, int mode)
{
    if (mode < 0 || mode >= DOUBLE_MODES)
        return 2;
    h->double_math = mode, h->same.of = NULL;
    if (mode == math_of(h, &ladder_f64))
        return 0;
    const char *why = "this library has no methods for the mode";
    for (int i = 0; ladder_added[i]; i++)
        if (ladder_added[i]->wide && ladder_added[i]->missing())
            why = ladder_added[i]->missing();
    snprintf(h->message, sizeof h->message, "double products run in cublasDgemm: %s", why);
    return LADDER_GEMM_UNSUPPORTED;
}

void ladder_gemm_set_accurate(ladder_gemm_t h, int on)
{
    h->accurate = on != 0, forget_calls(h);
}

int ladder_gemm_version(void)
{
    return 100 * LADDER_GEMM_VERSION_MAJOR + LADDER_GEMM_VERSION_MINOR;
}

void ladder_gemm_measure(ladder_gemm_t h, int on) { h->measures = on != 0, forget_calls(h); }

void ladder_gemm_verbose(ladder_gemm_t h, int on) { h->verbose = on; }

void ladder_gemm_smallest_leaf(ladder_gemm_t h, int edge)
{
    h->smallest_leaf = edge, forget_calls(h);
}

/* ---- For tuners and tests ---- */

int ladder_gemm_candidates(ladder_gemm_t h, int m, int n, int k, struct ladder_plan *plans,
                           int most)
{
    struct method_plan all[MOST_CANDIDATES];
    struct gemm_call x = {
        .of = &ladder_f32, .m = m, .n = n, .k = k, .math = math_of(h, &ladder_f32)};
    int count = candidates(h, &x, all);
    for (int i = 0; i < count && i < most; i++)
        plans[i] = public_plan(all[i]);
    return count;
}

int ladder_gemm_force(ladder_gemm_t h, const struct ladder_plan *plan)
{
    struct method_plan forced = plain_cublas();
    if (plan) {
        forced = plan_of(plan->variant, plan->levels, plan->parameter);
        if (!is_plan(h, forced, NULL))
            return 2;
    }
    h->is_forced = plan != NULL;
    if (plan)
        h->same.of = NULL;
    h->forced = forced;
    return 0;
}
