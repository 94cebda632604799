/* SPDX-License-Identifier: MIT */
/** @file beside.cuh
 * Winograd's variant with the sums of one product during the multiplication of another.
 */
#ifndef STEPS_19_OWN_LEAF_BESIDE_CUH
#define STEPS_19_OWN_LEAF_BESIDE_CUH

#include "own.cuh"

/* The levels above the last ones, unrolled. We walk the leaves of that tree, the problems of
   the last levels, from left to right: problem i belongs to node i / last_below at each depth
   above it.
 */
enum { MOST_UPPER = 32 };
template <class method> struct upper_level {
    typename method::level node[2]; /* one node of every pair of neighbours at this depth */
    real *workspace[2];
    long last_below; /* problems of the last levels below one of them */
};

template <class method>
static inline struct product operands(const struct upper_level<method> *upper, int depth,
                                      long i, struct product whole)
{
    if (depth == 0)
        return whole;
    const struct upper_level<method> *parent = upper + depth - 1;
    long below = parent->last_below / PRODUCTS;
    return parent->node[i / parent->last_below % 2].products[i / below % PRODUCTS];
}

/* The last two levels go together if a level is left above them. */
static inline int last_levels_beside(int levels)
{
    return last_levels(levels, levels > 2 ? TWO_LEVELS : BATCHED);
}

/* Gives each node of the levels above a workspace. Returns the number of problems. */
template <class method>
static inline long make_uppers(struct product p, int uppers, struct upper_level<method> *upper,
                               real **workspace)
{
    long count = 1, m = p.c.rows, n = p.c.cols, k = p.a.cols;
    for (int depth = uppers - 1; depth >= 0; depth--)
        upper[depth].last_below = count *= PRODUCTS;
    for (int depth = 0; depth < uppers; depth++)
        for (int i = 0; i < (depth ? 2 : 1); i++) {
            upper[depth].workspace[i] = *workspace;
            *workspace +=
                method::elements(m >> (depth + 1), n >> (depth + 1), k >> (depth + 1));
        }
    return count;
}

/* Plans the nodes that begin with problem i. */
template <class method>
static inline void plan_nodes(const struct context *ctx, struct upper_level<method> *upper,
                              int uppers, long i, struct product whole)
{
    for (int depth = 0; depth < uppers; depth++)
        if (i % upper[depth].last_below == 0) {
            int side = i / upper[depth].last_below % 2;
            real *space = upper[depth].workspace[side];
            upper[depth].node[side] = method::plan(operands(upper, depth, i, whole), &space);
            method::begin(ctx, &upper[depth].node[side]);
        }
}

/* The sums of a node are queued after those of the first problem of its last product that does
   not need them: with Winograd's method the second. */
template <class method>
static inline void sum_nodes(const struct context *ctx, const struct upper_level<method> *upper,
                             int uppers, long i)
{
    for (int depth = 0; depth < uppers; depth++) {
        long below = upper[depth].last_below / PRODUCTS;
        if (i % upper[depth].last_below == (method::BEFORE_SUMS - 1) * below)
            method::sum(ctx, &upper[depth].node[i / upper[depth].last_below % 2]);
    }
}

/* Combines the nodes whose last problem was i - 1, from the innermost on. */
template <class method>
static inline void combine_nodes(const struct context *ctx,
                                 const struct upper_level<method> *upper, int uppers, long i)
{
    for (int depth = uppers - 1; depth >= 0; depth--)
        if (i % upper[depth].last_below == 0) {
            method::combine(ctx, &upper[depth].node[(i - 1) / upper[depth].last_below % 2]);
        }
}

/// [walk]
/* All sums go into the urgent stream, in few blocks, so that they take few multiprocessors from
   the multiplications: at most the setting's. Problem i + 1 is summed while i is
   multiplied, and multiplied on the other lane, where its first blocks fill what the last ones
   of i leave. So everything below the first level exists twice. */
template <class method = winograd_method>
static inline void beside(const struct context *ctx, struct product p, int levels,
                          real *workspace)
{
    int last = last_levels_beside(levels), uppers = levels - last;
    struct upper_level<method> upper[MOST_UPPER];
    struct last problem[2];
    struct context lane[2], sums = context_in_lane(ctx, URGENT, NULL), alone = sums;
    const cudaEvent_t summed = ctx->gpu->lanes->lane[URGENT].done;
    for (int i = 0; i < 2; i++)
        lane[i] = context_in_lane(ctx, i, workspace);
    workspace += LANE_WORKSPACES;
    long count = make_uppers(p, uppers, upper, &workspace);
    real *last_workspace[2] = {workspace, workspace + last_elements(p, levels, last)};
    struct gpu in_few_blocks = *ctx->gpu; /* not for `alone`: no product runs during the
                                           first and the last sums */
    in_few_blocks.sum_blocks = ctx->settings[SET_BESIDE];
    sums.gpu = &in_few_blocks;

    fork_lanes(ctx);
    for (long i = 0; i <= count; i++) {
        const struct context *now = i == 0 || i == count ? &alone : &sums;
        if (i < count) {
            plan_nodes(now, upper, uppers, i, p);
            problem[i % 2] = begin_last_levels<method>(now, operands(upper, uppers, i, p), last,
                                                       last_workspace[i % 2]);
            GPU_CALL(ctx, cudaEventRecord(summed, sums.stream));
            sum_nodes(now, upper, uppers, i);
        }
        if (i > 0)
            GPU_CALL(ctx, cudaStreamWaitEvent(sums.stream,
                                              ctx->gpu->lanes->lane[(i - 1) % 2].done, 0));
        if (i < count) {
            GPU_CALL(ctx, cudaStreamWaitEvent(lane[i % 2].stream, summed, 0));
            multiply_last_levels(&lane[i % 2], &problem[i % 2], last);
            GPU_CALL(ctx,
                     cudaEventRecord(ctx->gpu->lanes->lane[i % 2].done, lane[i % 2].stream));
        }
        if (i > 0) {
            end_last_levels<method>(now, &problem[(i - 1) % 2], last);
            combine_nodes(now, upper, uppers, i);
        }
    }
    join_lanes(ctx);
}
/// [walk]

template <class method = winograd_method>
static inline size_t workspace_beside(const struct context *, struct product p, int levels)
{
    int last = last_levels_beside(levels), upper = levels - last;
    return last_elements(p, levels, last) * (upper ? 2 : 1) +
           levels_elements<method::elements>(p, upper, 2) + LANE_WORKSPACES;
}

#endif
