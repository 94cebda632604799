/* SPDX-License-Identifier: MIT */
/** @file step_run.h
 * Runs a variant of the step that a tracer is linked with, and observes it without a change to
 * the step's source: after each call that may have changed memory watch() is called. On the
 * processor these are all functions of the step (hook.c, by the compiler's
 * -finstrument-functions); on the simulated GPU, launches and calls of cuBLAS (hook.c, by the
 * linker's --wrap).
 */
#ifndef TOOLS_DRAW_RUNS_STEP_RUN_H
#define TOOLS_DRAW_RUNS_STEP_RUN_H

#include "common/step.h"

/** A variant's arguments. */
struct step_run {
    struct context ctx;
    struct product product;
    int levels;
};

/** The product of two whole row-major matrices, A m x k and B k x n, on one thread. */
static inline struct step_run whole_run(long m, long n, long k, void *a, void *b, void *c)
{
    struct step_run run = {{1}, product_of_size(m, n, k), 0};
    run.product.a.at = a, run.product.b.at = b, run.product.c.at = c;
    return run;
}

static inline size_t run_workspace(const struct variant *v, const struct step_run *run)
{
    return v->workspace ? v->workspace(&run->ctx, run->product, run->levels) : 0;
}

static inline void run_variant(const struct variant *v, const struct step_run *run,
                               void *workspace)
{
    variant_multiply(v, &run->ctx, run->product, run->levels, workspace);
}

/** A call has returned. call: its JSON fields, "kernel" among them, "" if unknown. */
void watch(const char *call);

#endif
