/* SPDX-License-Identifier: MIT */
/** @file tables.c
 * A level by its table takes three passes over memory: one forms all sums of A's blocks, one
 * those of B's, and one puts C together. The number of bytes that move does not depend on the
 * coefficients.
 */
#include "tables.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/block.h"
#include "steps/02-cpu-blocked/team.h"
#include "models.h"

/// [tables]
/* The table of a level. The variant dps-strassen has another table for the levels below the
   outermost one. */
static const struct scheme *table_at(const struct context *ctx, int depth)
{
    bool mixed = strcmp(ctx->variant->name, "dps-strassen") == 0;
    return depth > 0 && mixed ? &strassen_scheme : scheme_of(ctx->variant->bound.kind);
}
/// [tables]

/// [sums]
/* A block's row, and what it is multiplied by. */
struct term {
    real times;
    const real *at;
};

/* y = the sum of the terms, in pairs while there are at most four of them. */
static void sum_terms(const struct term *t, int count, long n, real *restrict y)
{
    if (count == 1)
        for (long j = 0; j < n; j++)
            y[j] = t[0].times * t[0].at[j];
    if (count == 2)
        for (long j = 0; j < n; j++)
            y[j] = t[0].times * t[0].at[j] + t[1].times * t[1].at[j];
    if (count == 3)
        for (long j = 0; j < n; j++)
            y[j] = t[0].times * t[0].at[j] + t[1].times * t[1].at[j] + t[2].times * t[2].at[j];
    if (count >= 4)
        for (long j = 0; j < n; j++)
            y[j] = (t[0].times * t[0].at[j] + t[1].times * t[1].at[j]) +
                   (t[2].times * t[2].at[j] + t[3].times * t[3].at[j]);
    for (int i = 4; i < count; i++)
        for (long j = 0; j < n; j++)
            y[j] += t[i].times * t[i].at[j];
}
/// [sums]

/* Copies a row past the caches where the processor can: it is read again much later, and a line
   that is written as a whole need not be read before. */
static void store_row(real *to, const real *from, long n)
{
    long done = 0;
#ifdef __SSE2__
    enum { PIECE = 16 / sizeof(real) };
    for (; (uintptr_t)to % 16 == 0 && done + PIECE <= n; done += PIECE)
        _mm_stream_si128((__m128i *)(to + done),
                         _mm_load_si128((const __m128i *)(from + done)));
    _mm_sfence(); /* before another thread reads it */
#endif
    memcpy(to + done, from + done, (size_t)(n - done) * sizeof(real));
}

/// [pass]
/* The sums of a pass: y[i] is the sum of all x[q] times times[i * output + q * input]. A y
   without memory is skipped. If the y are the x, the inputs are copied first. */
struct pass {
    int outputs, inputs;
    const double *times;
    int output, input;
    bool in_place;
    struct block y[MOST_PRODUCTS], x[MOST_PRODUCTS];
};

/* Some columns at a time, so that the rows of the inputs stay in the level 1 cache for all
   outputs. */
enum { COLUMNS = 512 };

static void pass_row(long row, const void *what)
{
    const struct pass *pass = *(const struct pass *const *)what;
    long cols = pass->y[0].cols;
    real copies[4][COLUMNS];
    _Alignas(16) real sum[COLUMNS];
    for (long j = 0; j < cols; j += COLUMNS) {
        long n = smaller(COLUMNS, cols - j);
        for (int q = 0; q < pass->inputs && pass->in_place; q++)
            memcpy(copies[q], pass->x[q].at + row * pass->x[q].ld + j,
                   (size_t)n * sizeof(real));
        for (int i = 0; i < pass->outputs; i++) {
            struct term terms[MOST_PRODUCTS];
            int count = 0;
            for (int q = 0; q < pass->inputs; q++) {
                double times = pass->times[i * pass->output + q * pass->input];
                const real *x = pass->x[q].at + row * pass->x[q].ld + j;
                if (times != 0)
                    terms[count++] = (struct term){(real)times, pass->in_place ? copies[q] : x};
            }
            if (pass->y[i].at) {
                sum_terms(terms, count, n, sum);
                store_row(pass->y[i].at + row * pass->y[i].ld + j, sum, n);
            }
        }
    }
}

static double additions;

double tables_additions(void) { return additions; }

static void make_pass(int threads, const struct pass *pass)
{
    for (int i = 0; i < pass->outputs; i++) {
        int count = 0;
        for (int q = 0; q < pass->inputs; q++)
            count += pass->times[i * pass->output + q * pass->input] != 0;
        if (pass->y[i].at)
            additions += (double)(count - 1) * (double)(pass->y[i].rows * pass->y[i].cols);
    }
    team_for(threads, pass->y[0].rows, pass_row, &pass, sizeof pass);
}
/// [pass]

/* Block q of a matrix that is cut into rows x cols blocks, whose indices may count backwards.
 */
static struct block block_of(struct block x, int q, int rows, int cols, bool reverse_rows,
                             bool reverse_cols)
{
    long i = reverse_rows ? rows - 1 - q / cols : q / cols;
    long j = reverse_cols ? cols - 1 - q % cols : q % cols;
    return part(x, i * (x.rows / rows), j * (x.cols / cols), x.rows / rows, x.cols / cols);
}

/* The number of the block if a factor is one block times 1; otherwise -1. */
static int only_block(const double times[MOST_BLOCKS], int blocks)
{
    int only = -1, nonzeros = 0;
    for (int q = 0; q < blocks; q++)
        if (times[q] != 0)
            nonzeros++, only = q;
    return nonzeros == 1 && times[only] == 1 ? only : -1;
}

/* What m, n and k must be multiples of for some levels from `depth` on. */
static long unit_of(const struct context *ctx, int depth, int levels)
{
    long unit = 1;
    for (int i = depth; i < depth + levels; i++)
        unit *= table_at(ctx, i)->k; /* m and n are the same */
    return unit;
}

/* A block of the workspace that starts some cache lines after the end of the last one. If the
   starts of many blocks differ by a power of two, they compete for the same places in the level
   1 cache. */
enum { STAGGER = 144 };

static size_t staggered(long rows, long cols)
{
    return (size_t)round_up(rows * cols, 16) + STAGGER;
}

static struct block take_staggered(real **workspace, long rows, long cols)
{
    struct block x = take_block(workspace, rows, cols);
    *workspace = x.at + staggered(rows, cols);
    return x;
}

/// [level]
/* The block indices that a level counts backwards. */
struct copy {
    bool rows, inner, cols;
};

static struct copy copy_at(const struct context *ctx, int depth)
{
    long copy = depth < 20 ? ctx->settings[0] >> 3 * depth & 7 : 0;
    return (struct copy){copy & 1, copy & 2, copy & 4};
}

static void multiply_level(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace);

/* One level on sizes that its table divides. */
static void level_by_table(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace)
{
    enum { PRODUCT = sizeof(struct scheme_product) / sizeof(double) }; /* its coefficients */
    const struct scheme *s = table_at(ctx, depth);
    struct copy copy = s->basis ? (struct copy){0} : copy_at(ctx, depth);
    struct pass a = {s->products, s->m * s->k, s->product->a, PRODUCT, 1};
    struct pass b = {s->products, s->k * s->n, s->product->b, PRODUCT, 1};
    struct pass c = {s->m * s->n, s->products, s->product->c, 1, PRODUCT};
    struct product products[MOST_PRODUCTS];
    for (int q = 0; q < a.inputs; q++)
        a.x[q] = block_of(p.a, q, s->m, s->k, copy.rows, copy.inner);
    for (int q = 0; q < b.inputs; q++)
        b.x[q] = block_of(p.b, q, s->k, s->n, copy.inner, copy.cols);
    for (int q = 0; q < c.outputs; q++)
        c.y[q] = block_of(p.c, q, s->m, s->n, copy.rows, copy.cols);
    for (int i = 0; i < s->products; i++) {
        int only_a = only_block(s->product[i].a, a.inputs);
        int only_b = only_block(s->product[i].b, b.inputs);
        a.y[i] = take_staggered(&workspace, a.x[0].rows, a.x[0].cols);
        b.y[i] = take_staggered(&workspace, b.x[0].rows, b.x[0].cols);
        c.x[i] = take_staggered(&workspace, c.y[0].rows, c.y[0].cols);
        products[i] = product_on(only_a < 0 ? a.y[i] : a.x[only_a],
                                 only_b < 0 ? b.y[i] : b.x[only_b], c.x[i]);
        a.y[i].at = only_a < 0 ? a.y[i].at : NULL;
        b.y[i].at = only_b < 0 ? b.y[i].at : NULL;
    }
    make_pass(ctx->threads, &a);
    make_pass(ctx->threads, &b);
    for (int i = 0; i < s->products; i++)
        multiply_level(ctx, products[i], depth + 1, levels - 1, workspace);
    make_pass(ctx->threads, &c);
}
/// [level]

/// [basis]
/* Replaces the blocks of A (side 0) or B (1) by the basis' sums on all levels, or these sums by
   the blocks of C (2). `to` may be `from`. */
static void change_basis(const struct context *ctx, const struct scheme *s, int side,
                         struct block from, struct block to, int depth, int levels)
{
    const double *basis = s->basis[side][0];
    struct copy copy = copy_at(ctx, depth);
    bool rows = side == 1 ? copy.inner : copy.rows, cols = side == 0 ? copy.inner : copy.cols;
    struct pass pass = {4, 4, basis, side == 2 ? 1 : 4, side == 2 ? 4 : 1, from.at == to.at};
    for (int q = 0; q < 4; q++) {
        pass.x[q] = block_of(from, q, 2, 2, rows && side < 2, cols && side < 2);
        pass.y[q] = block_of(to, q, 2, 2, rows && side == 2, cols && side == 2);
    }
    make_pass(ctx->threads, &pass);
    for (int q = 0; q < 4 && levels > 1; q++)
        change_basis(ctx, s, side, pass.y[q], pass.y[q], depth + 1, levels - 1);
}

/* All levels in another basis: it is changed once before and once after them. */
static void levels_in_basis(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    const struct scheme *s = table_at(ctx, 0);
    struct block a = take_staggered(&workspace, p.a.rows, p.a.cols);
    struct block b = take_staggered(&workspace, p.b.rows, p.b.cols);
    change_basis(ctx, s, 0, p.a, a, 0, levels);
    change_basis(ctx, s, 1, p.b, b, 0, levels);
    level_by_table(ctx, product_on(a, b, p.c), 0, levels, workspace);
    change_basis(ctx, s, 2, p.c, p.c, 0, levels);
}
/// [basis]

/* The levels compute the rows, columns and inner indices that their tables divide. The leaf
   computes the few others, and adds the last inner indices to C. */
static void multiply_level(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace)
{
    long unit = unit_of(ctx, depth, levels);
    long rows = p.c.rows, cols = p.c.cols, inner = p.a.cols;
    long m = rows / unit * unit, n = cols / unit * unit, k = inner / unit * unit;
    if (levels == 0 || !m || !n || !k) {
        multiply_leaf(ctx, p);
        return;
    }
    struct product whole =
        product_on(part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n), part(p.c, 0, 0, m, n));
    struct product borders[3] = {
        product_on(part(p.a, 0, k, m, inner - k), part(p.b, k, 0, inner - k, n), whole.c),
        product_on(part(p.a, 0, 0, m, inner), part(p.b, 0, n, inner, cols - n),
                   part(p.c, 0, n, m, cols - n)),
        product_on(part(p.a, m, 0, rows - m, inner), p.b, part(p.c, m, 0, rows - m, cols))};
    borders[0].accumulate = 1;
    if (depth == 0 && table_at(ctx, 0)->basis)
        levels_in_basis(ctx, whole, levels, workspace);
    else
        level_by_table(ctx, whole, depth, levels, workspace);
    for (int i = 0; i < 3; i++)
        if (borders[i].c.rows && borders[i].c.cols && borders[i].a.cols)
            multiply_leaf(ctx, borders[i]);
}

static size_t levels_workspace(const struct context *ctx, long m, long n, long k, int depth,
                               int levels)
{
    if (levels == 0)
        return 0;
    const struct scheme *s = table_at(ctx, depth);
    size_t bases = depth == 0 && s->basis ? staggered(m, k) + staggered(k, n) : 0;
    m /= s->m, n /= s->n, k /= s->k;
    return bases + (size_t)s->products * (staggered(m, k) + staggered(k, n) + staggered(m, n)) +
           levels_workspace(ctx, m, n, k, depth + 1, levels - 1);
}

/* Elements of the leaf's workspace, in whole cache lines. */
static size_t leaf_part(const struct context *ctx, struct product p)
{
    return (size_t)round_up((long)leaf_workspace(ctx, p), 16);
}

size_t tables_workspace(const struct context *ctx, struct product p, int levels)
{
    return leaf_part(ctx, p) + levels_workspace(ctx, p.c.rows, p.c.cols, p.a.cols, 0, levels);
}

int tables_levels(const struct context *ctx, struct product p, int levels)
{
    long smallest = smaller(smaller(p.c.rows, p.c.cols), p.a.cols);
    while (levels && unit_of(ctx, 0, levels) > smallest)
        levels--;
    return levels;
}

void multiply_by_tables(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    char message[256];
    for (int i = 0; i < levels && i < 2; i++)
        if (!scheme_is_right(table_at(ctx, i), message, sizeof message)) {
            fprintf(stderr, "%s\n", message);
            exit(EXIT_WRONG);
        }
    struct context below = *ctx;
    below.leaf_workspace = workspace;
    multiply_level(&below, p, 0, levels, workspace + leaf_part(ctx, p));
}
