/**
 * @file step_run.h
 * What a drawer runs of the step that it is linked with.
 */
#ifndef TOOLS_DRAW_STEP_RUN_H
#define TOOLS_DRAW_STEP_RUN_H

#include "common/step.h"

/** The product of two whole matrices by rows, A m x k and B k x n, on one thread. */
static inline struct problem whole_problem(long m, long n, long k, const void *a, const void *b,
                                           void *c)
{
    return (struct problem){m, n, k, a, k, b, n, c, n, .threads = 1};
}

#endif
