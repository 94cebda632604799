/**
 * @file strips.cu
 * The sums of one strip while another one is multiplied. See strips.h.
 */
#include "strips.h"

#include <math.h>

#include "product.h"
#include "steps/18-modern/lanes.cuh"

/// [spare]
/* A thread block of the product fills the registers of a multiprocessor: beside it runs nothing
   else. So the product leaves some multiprocessors free, the fewer the larger it is: the sums
   grow with the square of the edge, the products with its cube. Both end together with about so
   many at 16384 if a multiprocessor moves twice its share of the memory's rate. On an H100 that
   was so with halves and one level; bytes and two levels kept the products waiting (the
   chapter's appendix has the numbers). */
enum { SPARE_HALVES = 4, SPARE_BYTES = 6, LEAST_SPARE = 2, MOST_SPARE = 32 };

int spare_multiprocessors(const struct problem *p, enum format format)
{
    double at_16384 = format == FORMAT_TWO_HALVES ? SPARE_HALVES : SPARE_BYTES;
    long spare = lround(at_16384 * 16384 / cbrt((double)p->m * p->n * p->k));
    return (int)smaller(larger(spare, LEAST_SPARE), MOST_SPARE);
}
/// [spare]

/* Rows of a strip: whole tiles of its products where there are that many rows. */
static long rows_of_strips(const struct problem *p, int levels)
{
    long tiles = (long)CLUSTER * TILE_M << levels, least = 4L << levels;
    return round_up(pieces_of(p->m, STRIPS), p->m >= STRIPS * tiles ? tiles : least);
}

static struct problem strip_of(const struct problem *p, long rows, long i)
{
    struct problem strip = *p;
    strip.m = smaller(rows, p->m - i * rows);
    strip.a = (const float *)p->a + i * rows * p->lda;
    strip.c = (float *)p->c + i * rows * p->ldc;
    return strip;
}

/* The batch of the first strip, and room for another one with the same right factors. */
static struct batch two_batches(const struct problem *p, enum format format, int levels,
                                int promote, char **workspace, char *buffer[2])
{
    struct problem strip = strip_of(p, rows_of_strips(p, levels), 0);
    struct batch first = batch_of(&strip, format, levels, promote, NULL, workspace);
    buffer[0] = (char *)first.left.slices, buffer[1] = *workspace;
    batch_of(&strip, format, levels, promote, &first.right, workspace);
    return first;
}

size_t strips_elements(const struct problem *p, enum format format, int levels)
{
    char *begin = (char *)256, *end = begin, *buffer[2]; /* any aligned address will do */
    two_batches(p, format, levels, 0, &end, buffer);
    return (size_t)(end - begin) / sizeof(float);
}

/// [beside]
/* Every strip of C is the product of a strip of A with the same B. The factors of strip i are
   made while strip i - 1 is multiplied, and so is C's strip i - 2 joined. The products have the
   urgent lane: when their factors are there, their thread blocks start before any more of the
   sums', which then have the multiprocessors that are left. */
void multiply_in_strips(const struct gpu_context *x, const struct problem *p,
                        enum format format, int levels, int promote, void *workspace)
{
    struct gpu_context products = context_in_lane(x, URGENT, NULL),
                       sums = context_in_lane(x, 0, NULL);
    const cudaEvent_t multiplied = x->lanes->lane[URGENT].done, summed = x->lanes->lane[0].done;
    long rows = rows_of_strips(p, levels), count = pieces_of(p->m, rows);
    char *free = (char *)workspace, *buffer[2];
    promote = terms_between_promotions(format, promote);
    struct batch first = two_batches(p, format, levels, promote, &free, buffer), strip[2];

    fork_lanes(x);
    find_right_exponents(&sums, &first);
    make_right_factors(&sums, &first);
    for (long i = 0; i <= count; i++) {
        struct batch *next = &strip[i % 2], *last = &strip[(i + 1) % 2];
        if (i < count) {
            struct problem part = strip_of(p, rows, i);
            char *at = buffer[i % 2];
            *next = batch_of(&part, format, levels, promote, &first.right, &at);
            next->spare = spare_multiprocessors(p, format);
            find_left_exponents(&sums, next);
            make_left_factors(&sums, next);
            GPU_CALL(x, cudaEventRecord(summed, sums.stream));
        }
        if (i > 0) /* before the event is that of the next products */
            GPU_CALL(x, cudaStreamWaitEvent(sums.stream, multiplied, 0));
        if (i < count) {
            GPU_CALL(x, cudaStreamWaitEvent(products.stream, summed, 0));
            multiply_batch(&products, next, LEAF_FASTEST);
            GPU_CALL(x, cudaEventRecord(multiplied, products.stream));
        }
        if (i > 0) {
            struct block c = block_c(p);
            c.at += (i - 1) * rows * c.ld;
            c.rows = smaller(rows, c.rows - (i - 1) * rows);
            join_products(&sums, last, c);
            repair(&sums, last, c);
        }
    }
    join_lanes(x);
}
/// [beside]
