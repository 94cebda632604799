/**
 * @file edges.cuh
 * --edges: what padding and peeling cost around the size asked for.
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_EDGES_CUH
#define STEPS_14_STRASSEN_MULTILEVEL_EDGES_CUH

#include <stdio.h>

#include "common/command/depth.h"
#include "common/command/options.h"
#include "peel.cuh"

/* Sizes just below, at and above the size asked for. */
static inline int print_edges_of(const struct peelable *method, const struct options *o)
{
    static const long around[] = {-63, -1, 0, 1, 8, 64, 127};
    printf("Padding and peeling, in multiplications of GPU8 over those that the size itself "
           "needs:\n"
           "%8s %7s %20s %20s %8s %8s  %s\n",
           "n", "levels", "padded to", "core", "padding", "peeling", "cheaper");
    for (int i = 0; i < 7; i++) {
        struct options there = *o;
        there.m = there.n = there.k = o->n + around[i];
        if (there.n < 1)
            continue;
        struct depth depth = depth_of(&there);
        struct problem p = {there.m, there.n, there.k};
        p.levels = depth.levels;
        p.fused = depth.fused;
        struct problem padded = pad_shape(method->padded, &p), core = core_of(&p);
        struct edges e = edges_of(method, &p);
        char to[64], of[64];
        snprintf(to, sizeof to, "%ld x %ld x %ld", padded.m, padded.n, padded.k);
        snprintf(of, sizeof of, "%ld x %ld x %ld", core.m, core.n, core.k);
        printf("%8ld %7d %20s %20s %8.3f %8.3f  %s\n", there.n, p.levels, to, of,
               e.padded / e.asked, e.peeled / e.asked,
               e.peeled < e.padded ? "peeling" : "padding");
    }
    return EXIT_RIGHT;
}

#endif
