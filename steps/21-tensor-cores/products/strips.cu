/* SPDX-License-Identifier: MIT */
/** @file strips.cu
 * Computes the sums of one strip while another one is multiplied. See strips.h.
 */
#include "strips.h"

#include <math.h>

#include "product.h"
#include "steps/18-modern/context.cuh"

/* A thread block of the product uses all registers of a multiprocessor, so nothing else runs
   there at the same time. The product therefore leaves some multiprocessors free, and fewer the
   larger it is: the sums grow with the square of the edge, the products with its cube. With
   these numbers both end together at 16384 if a multiprocessor moves twice its share of the
   memory's rate. On an H100 it did with halves and one level; with bytes or two levels the
   products had to wait (the chapter's appendix has the numbers). */
enum { SPARE_AT_16384 = 4, LEAST_SPARE = 2, MOST_SPARE = 32 };

int spare_multiprocessors(struct product p)
{
    long spare = lround(SPARE_AT_16384 * 16384 / cbrt((double)p.c.rows * p.c.cols * p.a.cols));
    return (int)smaller(larger(spare, LEAST_SPARE), MOST_SPARE);
}

/* The rows of a strip: whole tiles of its products if there are enough rows. */
static long rows_of_strips(struct product p, int levels)
{
    long tiles = (long)CLUSTER * TILE_M << levels, least = 4L << levels;
    return round_up(pieces_of(p.c.rows, STRIPS), p.c.rows >= STRIPS * tiles ? tiles : least);
}

static struct product strip_of(struct product p, long rows, long i)
{
    long here = smaller(rows, p.c.rows - i * rows);
    return product_on(part(p.a, i * rows, 0, here, p.a.cols), p.b,
                      part(p.c, i * rows, 0, here, p.c.cols));
}

/* The first strip's batch, and room for a second one with the same right factors. */
static struct batch two_batches(struct product p, int levels, int promote, char **workspace,
                                char *buffer[2])
{
    struct product strip = strip_of(p, rows_of_strips(p, levels), 0);
    struct batch first = batch_of(strip, FORMAT_TWO_HALVES, levels, promote, NULL, workspace);
    buffer[0] = (char *)first.progress, buffer[1] = *workspace;
    batch_of(strip, FORMAT_TWO_HALVES, levels, promote, &first.right, workspace);
    return first;
}

size_t strips_elements(struct product p, int levels)
{
    char *begin = (char *)256, *end = begin, *buffer[2]; /* any aligned address will do */
    two_batches(p, levels, 0, &end, buffer);
    return (size_t)(end - begin) / sizeof(float);
}

/// [beside]
/* Every strip of C is the product of a strip of A with the same B. While strip i - 1 is
   multiplied, strip i's factors are made and C's strip i - 2 is joined. The products are in the
   urgent lane: once their factors are ready, their thread blocks start before those of the
   sums, which get the remaining multiprocessors. */
void multiply_in_strips(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    struct context urgent = context_in_lane(ctx, URGENT, NULL),
                   sums = context_in_lane(ctx, 0, NULL);
    const cudaEvent_t multiplied = ctx->gpu->lanes->lane[URGENT].done,
                      summed = ctx->gpu->lanes->lane[0].done;
    long rows = rows_of_strips(p, levels), count = pieces_of(p.c.rows, rows);
    char *free = (char *)workspace, *buffer[2];
    int promote = terms_between_promotions(ctx, p, levels, FORMAT_TWO_HALVES);
    struct batch first = two_batches(p, levels, promote, &free, buffer), strip[2];

    fork_lanes(ctx);
    split_right(&sums, &first);
    for (long i = 0; i <= count; i++) {
        struct batch *next = &strip[i % 2], *last = &strip[(i + 1) % 2];
        if (i < count) {
            char *at = buffer[i % 2];
            *next = batch_of(strip_of(p, rows, i), FORMAT_TWO_HALVES, levels, promote,
                             &first.right, &at);
            next->spare = spare_multiprocessors(p);
            split_left(&sums, next);
            GPU_CALL(ctx, cudaEventRecord(summed, sums.stream));
        }
        if (i > 0) /* before the next products record this event again */
            GPU_CALL(ctx, cudaStreamWaitEvent(sums.stream, multiplied, 0));
        if (i < count) {
            GPU_CALL(ctx, cudaStreamWaitEvent(urgent.stream, summed, 0));
            multiply_batch(&urgent, next, LEAF_FASTEST);
            GPU_CALL(ctx, cudaEventRecord(multiplied, urgent.stream));
        }
        if (i > 0) {
            struct block C = strip_of(p, rows, i - 1).c;
            join_products(&sums, last, C);
            repair(&sums, last, C, levels > 0);
        }
    }
    join_lanes(ctx);
}
/// [beside]
