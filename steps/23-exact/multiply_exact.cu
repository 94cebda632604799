/* SPDX-License-Identifier: MIT */
/** @file multiply_exact.cu
 * A whole product: lays out its memory and runs the passes. See exact_batch.h.
 */
#include <math.h>

#include "exact_batch.h"

/* A product is one group of moduli if it is not large. Otherwise it has the fewest groups, at
   most five, whose workspace takes at most a third of the GPU's memory: step 20's preload takes
   no more. */
static int groups_by_memory(struct product p, struct exact_plan plan)
{
    enum { LARGE = 24576, GROUPS_MOST = 5 };
    size_t unused, all = 0; /* of memory; a failure leaves 0 */
    plan.groups = 1;
    if (cbrt((double)p.c.rows * p.c.cols * p.a.cols) < (int)LARGE)
        return plan.groups;
    cudaMemGetInfo(&unused, &all);
    while (plan.groups < GROUPS_MOST && exact_batch_bytes(p, plan) > all / 3)
        plan.groups++;
    return plan.groups;
}

static struct exact_factor factor_of(struct block x, int right, const struct exact_batch *b,
                                     const struct exact_plan *plan, char **free)
{
    struct exact_factor f = {.at = x.at, .is_float = plan->is_float, .ld = x.ld};
    bool safe = plan->safe;
    int tile = right ? (int)RIGHT_LINES : (int)LEFT_LINES * (int)TILES_TOGETHER;
    f.rows = (int)x.rows, f.cols = (int)x.cols, f.right = right;
    f.matrix_lines = right ? f.cols : f.rows;
    f.lines = right ? b->n : b->m, f.terms = b->k;
    f.lines_padded = (int)round_up(f.lines, tile);
    f.terms_padded = (int)round_up(f.terms, LINE_BYTES);
    f.in_lines = b->leaf == EXACT_CUBLAS;
    f.stride = (size_t)f.lines_padded * f.terms_padded;
    f.bytes = (unsigned char *)take_bytes(free, f.stride * b->products * b->in_group);
    f.strips = right ? (int)pieces_of(f.rows, STRIP_ROWS) : 0;
    size_t parts = (size_t)f.strips * f.cols;
    f.maxima = (uint64_t *)take_bytes(free, f.matrix_lines * (sizeof(uint64_t) + sizeof(int)));
    f.numbers = (int *)(f.maxima + f.matrix_lines);
    f.norms = (uint64_t *)take_bytes(free, parts * sizeof(uint64_t));
    f.strip_exponents = (int *)take_bytes(free, parts * sizeof(int));
    if (safe) {
        f.counts = (struct span_counts *)take_bytes(free, parts * sizeof(struct span_counts));
        f.spans =
            (struct line_span *)take_bytes(free, f.matrix_lines * sizeof(struct line_span));
        f.worst = (struct line_span *)take_bytes(
            free, (size_t)pieces_of(f.matrix_lines, SUMS_TILE) * sizeof(struct line_span));
    }
    f.exponents = (int *)take_bytes(free, f.matrix_lines * sizeof(int));
    f.dropped = (int *)take_bytes(free, sizeof(int));
    f.apart = (struct line_terms *)take_bytes(free, f.matrix_lines * sizeof(struct line_terms));
    return f;
}

struct exact_batch exact_batch_of(struct product p, struct exact_plan plan, int here,
                                  char **free)
{
    int levels = plan.levels, groups = plan.groups ? plan.groups : groups_by_memory(p, plan);
    struct exact_batch b = {
        .leaf = plan.leaf, .levels = levels, .products = products_of(levels)};
    b.r.count = plan.moduli;
    b.in_group = (int)pieces_of(here, smaller(groups, here));
    b.m = (int)pieces_of(p.c.rows, 1L << levels), b.n = (int)pieces_of(p.c.cols, 1L << levels);
    b.k = (int)pieces_of(p.a.cols, 1L << levels);
    b.left = factor_of(p.a, 0, &b, &plan, free);
    b.right = factor_of(p.b, 1, &b, &plan, free);
    b.row = (size_t)b.right.lines_padded, b.stride = b.row * b.left.lines_padded;
    b.residues = (unsigned char *)take_bytes(free, b.stride * b.products * plan.moduli);
    b.progress = (struct progress *)take_bytes(free, sizeof *b.progress);
    if (plan.leaf == EXACT_CUBLAS)
        b.sums = (int *)take_bytes(free, (size_t)b.m * b.right.lines_padded * sizeof(int));
    return b;
}

size_t exact_batch_bytes(struct product p, struct exact_plan plan)
{
    char *begin = (char *)256, *end = begin; /* any aligned address will do */
    exact_batch_of(p, plan, plan.moduli, &end);
    return (size_t)(end - begin) + 256;
}

/// [multiply]
void multiply_moduli(const struct context *ctx, const struct exact_batch *b, int count)
{
    find_line_exponents(ctx, &b->r, &b->left);
    find_line_exponents(ctx, &b->r, &b->right);
    for (int first = 0; first < count; first += b->in_group) {
        int now = (int)smaller(b->in_group, count - first);
        make_residues(ctx, b, &b->left, first, now);
        make_residues(ctx, b, &b->right, first, now);
        multiply_residues(ctx, b, first, now);
    }
}

/* First the exponents, then for each group of moduli the factors and the products, then C. The
   results of one modulus do not depend on the others, nor on the levels: C has the same bits
   however the moduli are grouped. */
void multiply_exact(const struct context *ctx, struct product p, struct exact_plan plan,
                    void *workspace)
{
    char *free = (char *)round_up((long)workspace, 256);
    struct exact_batch b = exact_batch_of(p, plan, plan.moduli, &free);
    b.r = residue_system_of(plan.moduli);
    multiply_moduli(ctx, &b, plan.moduli);
    rebuild(ctx, &b, p.c);
    repair_dropped(ctx, &b, p.c);
    sum_doubles(ctx, &b, p.c);
}
/// [multiply]
