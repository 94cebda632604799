/* SPDX-License-Identifier: MIT */
/** @file operands.cu
 * Lays out a batch's memory. See operands.h.
 */
#include "operands.h"

#include "signs.cuh"

/* Lays out the arrays that begin as zeros, A's and B's next to each other. */
static void lay_out_zeros(struct factors *x, int levels, char **workspace)
{
    x->zeros = *workspace;
    x->maxima =
        (int *)take_bytes(workspace, (size_t)blocks_of(levels) * x->lines * sizeof(int));
    x->largest = (int *)take_bytes(workspace, sizeof(int));
}

static void lay_out(struct factors *x, int tile, int levels, int k_padded, char **workspace)
{
    long lines = (long)x->lines << levels;
    if (!x->right)
        lay_out_zeros(x, levels, workspace);
    x->stride = (size_t)round_up(x->lines, tile) * k_padded * sizeof(float);
    x->slices = (unsigned char *)take_bytes(workspace, products_of(levels) * x->stride);
    x->exponents =
        (int *)take_bytes(workspace, (size_t)products_of(levels) * x->lines * sizeof(int));
    x->dropped = (int *)take_bytes(workspace, (size_t)lines * sizeof(int));
    x->scale = (int *)take_bytes(workspace, (size_t)lines * sizeof(int));
    if (x->right) {
        x->strip_sums = (double *)take_bytes(workspace, (size_t)strips_of(*x, levels) * lines *
                                                            sizeof(double));
        x->sums = (float *)take_bytes(workspace, (size_t)lines * sizeof(float));
        lay_out_zeros(x, levels, workspace);
    } else {
        x->row = (struct spread *)take_bytes(workspace, (size_t)blocks_of(levels) * x->lines *
                                                            sizeof(struct spread));
        x->means = (float *)take_bytes(workspace, (size_t)lines * sizeof(float));
    }
}

struct batch batch_of(struct product p, enum format format, int levels, int promote,
                      const struct factors *right, char **workspace)
{
    struct batch b = {format, levels, products_of(levels)};
    b.m = (int)(p.c.rows >> levels), b.n = (int)(p.c.cols >> levels);
    b.k = (int)(p.a.cols >> levels);
    b.k_padded = (int)round_up(b.k, STEP_K);
    b.promote = promote;
    b.left = (struct factors){p.a.at, p.a.ld, (int)p.a.rows, (int)p.a.cols, 0, b.m};
    b.left.centring = format == FORMAT_TWO_HALVES ? CENTRE_MIXED_ROWS : CENTRE_ROWS_OF_ONE_SIGN;
    b.right = (struct factors){p.b.at, p.b.ld, (int)p.b.rows, (int)p.b.cols, 1, b.n};
    if (right)
        b.right = *right;
    else
        lay_out(&b.right, TILE_N, levels, b.k_padded, workspace);
    b.progress = (struct progress *)take_bytes(workspace, sizeof *b.progress);
    lay_out(&b.left, CLUSTER * TILE_M, levels, b.k_padded, workspace);
    b.partials = (float *)take_bytes(workspace, (size_t)parts_of_batch(&b) * (int)CLUSTER *
                                                    TILE_M * TILE_N * sizeof(float));
    b.c = p.c.at, b.ldc = p.c.ld, b.stride_c = 0;
    if (levels > 0) {
        b.ldc = b.n, b.stride_c = (size_t)b.m * b.n;
        b.c = (float *)take_bytes(workspace, b.products * b.stride_c * sizeof(float));
    }
    return b;
}

void zero_factors(const struct context *ctx, const struct factors *x, char *from)
{
    GPU_CALL(ctx,
             cudaMemsetAsync(from, 0, (size_t)((char *)(x->largest + 1) - from), ctx->stream));
}

void zero_batch(const struct context *ctx, const struct batch *b)
{
    zero_factors(ctx, &b->left, b->right.zeros);
}

size_t batch_elements(struct product p, enum format format, int levels)
{
    char *begin = (char *)256, *end = begin; /* any aligned address will do */
    batch_of(p, format, levels, 0, NULL, &end);
    return (size_t)(end - begin) / sizeof(float);
}
