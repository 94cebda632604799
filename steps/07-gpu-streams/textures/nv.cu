/* SPDX-License-Identifier: MIT */
/** @file nv.cu
 * The textures, the passes and the cost of NV Single and NV Multi.
 */
#include "nv.cuh"

#include "common/matrix/block.h"

struct single shape_single(struct product p)
{
    return {texture_shape(p.a.rows, p.a.cols, block_2x2),
            texture_shape(p.b.rows, p.b.cols, block_2x2),
            texture_shape(p.c.rows, p.c.cols, block_2x2)};
}

size_t workspace_single(const struct context *, struct product p, int)
{
    struct single s = shape_single(p);
    return texture_elements(s.a) + texture_elements(s.b) + texture_elements(s.c);
}

struct single create_single(struct product p, real *workspace)
{
    struct single s = shape_single(p);
    s.a = texture_create(s.a, &workspace);
    s.b = texture_create(s.b, &workspace);
    s.c = texture_create(s.c, &workspace);
    return s;
}

void destroy_single(const struct single *s)
{
    texture_destroy(s->a);
    texture_destroy(s->b);
    texture_destroy(s->c);
}

struct single pack_single(struct product p, real *workspace)
{
    struct single s = create_single(p, workspace);
    pack(p.a.at, p.a.ld, p.a.rows, p.a.cols, block_2x2, s.a);
    pack(p.b.at, p.b.ld, p.b.rows, p.b.cols, block_2x2, s.b);
    return s;
}

void unpack_single(struct product p, const struct single *s)
{
    unpack(s->c, block_2x2, p.c.at, p.c.ld, p.c.rows, p.c.cols);
    destroy_single(s);
}

/* A has a texel for each of its columns; they are filled up with zeros to four per step. */
struct multi shape_multi(const struct context *ctx, struct product p)
{
    int steps = (int)pieces_of(p.a.cols, 4);
    struct texture c = texture_shape(p.c.rows, p.c.cols, column_of_4);
    return {texture_shape(p.a.rows, 4L * steps, column_of_4),
            texture_shape(p.b.rows, p.b.cols, column_of_4),
            {c, c},
            steps,
            (int)ctx->settings[SET_UNROLL]};
}

size_t workspace_multi(const struct context *ctx, struct product p, int)
{
    struct multi s = shape_multi(ctx, p);
    return texture_elements(s.a) + texture_elements(s.b) + 2 * texture_elements(s.c[0]);
}

struct multi create_multi(const struct context *ctx, struct product p, real *workspace)
{
    struct multi s = shape_multi(ctx, p);
    s.a = texture_create(s.a, &workspace);
    s.b = texture_create(s.b, &workspace);
    for (int i = 0; i < 2; i++)
        s.c[i] = texture_create(s.c[i], &workspace);
    return s;
}

void destroy_multi(const struct multi *s)
{
    texture_destroy(s->a);
    texture_destroy(s->b);
    for (int i = 0; i < 2; i++)
        texture_destroy(s->c[i]);
}

struct multi pack_multi(const struct context *ctx, struct product p, real *workspace)
{
    struct multi s = create_multi(ctx, p, workspace);
    pack(p.a.at, p.a.ld, p.a.rows, p.a.cols, column_of_4, s.a);
    pack(p.b.at, p.b.ld, p.b.rows, p.b.cols, column_of_4, s.b);
    struct texture zero = s.c[0]; /* what the first pass reads back */
    CUDA_CHECK(cudaMemset(zero.texels, 0, sizeof(real4) * zero.pitch * zero.height));
    return s;
}

void unpack_multi(struct product p, const struct multi *s)
{
    unpack(result_multi(s), column_of_4, p.c.at, p.c.ld, p.c.rows, p.c.cols);
    destroy_multi(s);
}

int passes_multi(const struct multi *s) { return (int)pieces_of(s->steps, s->unroll); }

struct texture result_multi(const struct multi *s) { return s->c[passes_multi(s) % 2]; }

/// [passes]
/* `unroll` steps in each pass, and the rest in the last: pass i reads c[i % 2] and writes the
 * other. */
void run_passes(const pass_kernel kernels[], const struct multi *s)
{
    for (int i = 0, first = 0; first < s->steps; i++, first += s->unroll) {
        int left = s->steps - first;
        pass_kernel kernel = kernels[left < s->unroll ? left : s->unroll];
        struct texture accum = s->c[i % 2], c = s->c[(i + 1) % 2];
        kernel<<<texel_grid(c), texel_block()>>>(s->a, s->b, accum, c, first);
        CHECK_LAUNCH();
    }
}
/// [passes]

static double texels_of(struct texture t) { return (double)t.width * t.height; }

/* What every pass stores, and every fetch brings; for f32. A half-warp stores 16 neighbouring
   texels by two transactions of 128 bytes, where rows are whole half-warps. */
static struct cost cost_of_texels(struct product p, struct texture c, double stores,
                                  double fetches)
{
    struct cost cost = {2.0 * p.c.rows * p.c.cols * p.a.cols, -1, -1, fetches, 16 * fetches};
    if (c.width % TEXEL_BLOCK == 0) {
        cost.transactions = stores * texels_of(c) / 8;
        cost.volume = stores * texels_of(c) * 16;
    }
    return cost;
}

/* Each texel of C takes a row of A's texels and a column of B's. */
struct cost cost_single(const struct context *, struct product p, int)
{
    struct single s = shape_single(p);
    return cost_of_texels(p, s.c, 1, texels_of(s.c) * 2 * s.a.width);
}

/* ... 4 texels of A and 1 of B for each step, and the partial result once per pass. */
struct cost cost_multi(const struct context *ctx, struct product p, int)
{
    struct multi s = shape_multi(ctx, p);
    double passes = passes_multi(&s);
    return cost_of_texels(p, s.c[0], passes, texels_of(s.c[0]) * (5.0 * s.steps + passes));
}
