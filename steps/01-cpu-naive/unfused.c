/**
 * @file unfused.c
 * The classical product as a processor of 2010 computed it: it had no fused multiply-add, so the
 * product was rounded, and then the sum. Li et al. (2011) call this row "O(n^3) on CPU" (Figures 30,
 * 31 and 43). step.cmake compiles this file with -ffp-contract=off, which forbids the compiler to
 * fuse.
 */
#include "unfused.h"

#include "common/sizes.h"
#include "ikj.h"

/// [unfused]
/* ikj over a block of B that stays in the second-level cache, so that 8192 ends today. Blocks come in
   the order of l: every element still adds its terms one after another from the first to the last. */
void multiply_unfused(const struct problem *p, void *workspace)
{
    enum { DEPTH = 256, WIDTH = 512 };
    (void)workspace;
    clear(p);
    for (long first_l = 0; first_l < p->k; first_l += DEPTH)
        for (long first_j = 0; first_j < p->n; first_j += WIDTH) {
            long end_l = smaller(first_l + DEPTH, p->k), end_j = smaller(first_j + WIDTH, p->n);
#pragma omp parallel for num_threads(p->threads > 0 ? p->threads : 1)
            for (long i = 0; i < p->m; i++)
                for (long l = first_l; l < end_l; l++)
                    for (long j = first_j; j < end_j; j++)
                        MULTIPLY_ADD(p, i, j, l);
        }
}
/// [unfused]
