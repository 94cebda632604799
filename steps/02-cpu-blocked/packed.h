/* SPDX-License-Identifier: MIT */
/** @file packed.h
 * Packing and a micro-kernel, on one thread or many; later steps use it as their leaf, and step
 * 05 puts Strassen's sums into it.
 *
 *   for jc in steps of nc         columns of B and C
 *     for pc in steps of kc       the inner dimension
 *       pack B[pc.., jc..]        kc x nc: stays in the L3 cache, all threads share it
 *       for ic in steps of mc     rows of A and C
 *         pack A[ic.., pc..]      mc x kc: stays in the L2 cache
 *         for j in steps of nr    a panel of B, kc x nr: stays in the L1 cache while
 *           for i in steps of mr  the panels of A, mr x kc, stream past it from L2
 *             micro-kernel        a tile of C, mr x nr: stays in registers for kc steps
 *
 * Threads pack together, and then take pieces of the block of C, cut into a grid.
 */
#ifndef STEPS_02_CPU_BLOCKED_PACKED_H
#define STEPS_02_CPU_BLOCKED_PACKED_H

#include "common/matrix/block.h"
#include "kernel.h"
#include "team.h"

/** A panel of B, kc x nc, is packed for the L3 cache; a block of A, mc x kc, for
 * the L2 cache. */
struct blocks {
    long mc, kc, nc;
    int mr; /**< rows of a tile, at most */
};

/** The best kernel that this processor can run, or the one that LADDER_KERNEL names (avx512,
 * avx2 or portable), if it can run it. */
const struct kernel *chosen_kernel(void);

/** Block sizes for this number of threads, from the sizes of the caches. */
struct blocks default_blocks(int threads);

/** How one product, or many of the same shape, are cut for the caches and shared out among
 * threads. */
struct plan {
    const struct kernel *kernel;
    long m, n, k;
    int threads;          /**< as many as pay */
    int mr;               /**< rows of a tile, so that the tiles fit the rows */
    struct blocks blocks; /**< mc is what all threads have together */
    int down, across;     /**< pieces that a block of A and a panel of B are cut into */
    bool reads_b;         /**< B is read in place, not packed */
};

/** The plan for an m x n x k product on at most `threads` threads. */
struct plan plan_for(long m, long n, long k, int threads, struct blocks wish);

/** One thread's part in a team that works by one plan: every thread of the team calls
 *  multiply_sums() with the same arguments, as often as there are products. */
struct worker {
    struct member member;
    const struct plan *plan;
    real *workspace; /**< shared; workspace_of_blocks() */
    real *collected; /**< shared; collected_elements(): a product goes to C at its end only; or
                        NULL */
    int turn_a, turn_b; /**< which of two buffers is filled next */
};

/** All places of c get the product of the sums a and b, which have the plan's shape. Returns
 * when its last pieces are taken, not when they are done: what follows may be packed
 * meanwhile. */
void multiply_sums(struct worker *worker, const struct sum *a, const struct sum *b,
                   const struct sum *c);

/** Workspace, an upper bound that a smaller problem never exceeds: recursions share one
 * workspace among products of several shapes. */
size_t workspace_of_blocks(long m, long n, long k, int threads, struct blocks wish);

/** Elements in which a product of a plan made with the same arguments is collected, at most. */
size_t collected_elements(long m, long n, struct blocks wish);

/** A block as a sum of one term; as a result, it is set or added to. */
static inline struct sum sum_of(struct block x, bool set)
{
    return (struct sum){1, x.ld, {{x.at, x.rows, x.cols, 1, set}}};
}

/** C = A * B with these block sizes, in workspace_of_blocks() elements. */
void multiply_with_blocks(const struct context *ctx, struct product p, struct blocks wish,
                          real *workspace);

/** The packed product on p->threads threads: what later steps call as their leaf. */
void multiply_packed(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_packed(const struct context *ctx, struct product p, int levels);

/** The kernel, the block sizes and the threads, for reports. */
const char *packed_note(void);

#endif
