/* SPDX-License-Identifier: MIT */
/** @file tables.c
 * One or two levels by their tables take three passes over memory: one forms all sums of A's
 * blocks, one those of B's, and one puts C together. The number of bytes that move does not
 * depend on the coefficients.
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
#include "steps/24-accurate/schemes/models.h"

/* The table of a level. The variant dps-strassen has another table for the levels below the
   outermost one. */
static const struct scheme *table_at(const struct context *ctx, int depth)
{
    bool mixed = strcmp(ctx->variant->name, "dps-strassen") == 0;
    return depth > 0 && mixed ? &strassen_scheme : ctx->variant->bound.scheme;
}

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
    if (count == 2 || count == 3)
        for (long j = 0; j < n; j++)
            y[j] = t[0].times * t[0].at[j] + t[1].times * t[1].at[j];
    if (count >= 4)
        for (long j = 0; j < n; j++)
            y[j] = (t[0].times * t[0].at[j] + t[1].times * t[1].at[j]) +
                   (t[2].times * t[2].at[j] + t[3].times * t[3].at[j]);
    for (int i = count >= 4 ? 4 : 2; i < count; i++)
        for (long j = 0; j < n; j++)
            y[j] += t[i].times * t[i].at[j];
}

/* Copies a row past the caches where the processor can: it is read again much later, and a
   cache line that is written as a whole need not be read before. */
static void store_row(real *to, const real *from, long n)
{
    long done = 0;
#ifdef __SSE2__
    enum { LINE = 64 / sizeof(real) };
    done = smaller(n, (long)(-(uintptr_t)to % 64 / sizeof(real)));
    memcpy(to, from, (size_t)done * sizeof(real));
    for (; done + LINE <= n; done += LINE)
        for (int i = 0; i < 4; i++)
            _mm_stream_si128((__m128i *)(to + done) + i,
                             _mm_loadu_si128((const __m128i *)(from + done) + i));
#endif
    memcpy(to + done, from + done, (size_t)(n - done) * sizeof(real));
}

/// [pass]
/* Sums of one level: output i is the sum of the inputs q, each times the coefficient
   times[i * output + q * input]. */
struct sums {
    int outputs, inputs;
    const double *times;
    int output, input;
};

/* A pass over memory: the sums of two levels. Input q of the outer level has a part for each
   input r of the inner one, and so have the outputs: x[q * inner.inputs + r]. A y without
   memory is skipped. */
struct pass {
    struct sums outer, inner;
    struct block y[MOST_PRODUCTS], x[MOST_PRODUCTS];
    double *additions; /* counts them, on one thread; or NULL */
};

/* Some columns at a time, so that all rows of the inputs stay in the level 1 cache. */
enum { COLUMNS = 1024 / sizeof(real) };

/* One output from every `apart`-th x: a single input as it is, or a sum in `to`. */
static const real *sum_of_row(const struct pass *pass, const struct sums *s, int output,
                              const real *const *x, int apart, long n, real *to)
{
    struct term terms[MOST_PRODUCTS];
    int count = 0;
    for (int q = 0; q < s->inputs; q++) {
        double times = s->times[output * s->output + q * s->input];
        if (times != 0)
            terms[count++] = (struct term){(real)times, x[q * apart]};
    }
    if (pass->additions)
        *pass->additions += (double)(count - 1) * (double)n;
    if (count == 1 && terms[0].times == 1)
        return terms[0].at;
    sum_terms(terms, count, n, to);
    return to;
}

static void pass_row(long row, const void *what)
{
    const struct pass *pass = *(const struct pass *const *)what;
    const struct sums *outer = &pass->outer, *inner = &pass->inner;
    long cols = pass->x[0].cols;
    int inputs = outer->inputs * inner->inputs;
    real copies[MOST_BLOCKS][COLUMNS], parts[MOST_PRODUCTS][COLUMNS], sum[COLUMNS];
    const real *x[MOST_PRODUCTS], *part[MOST_PRODUCTS];
    for (long j = 0; j < cols; j += COLUMNS) {
        long n = smaller(COLUMNS, cols - j);
        for (int q = 0; q < inputs; q++) {
            x[q] = pass->x[q].at + row * pass->x[q].ld + j;
            if (inputs <= MOST_BLOCKS) { /* the outputs may be in their place */
                sum_terms(&(struct term){1, x[q]}, 1, n,
                          copies[q]); /* GCC's memcpy is slower */
                x[q] = copies[q];
            }
        }
        for (int i = 0; i < outer->outputs; i++) {
            for (int r = 0; r < inner->inputs; r++)
                part[r] = sum_of_row(pass, outer, i, x + r, inner->inputs, n, parts[r]);
            for (int r = 0; r < inner->outputs; r++) {
                struct block y = pass->y[i * inner->outputs + r];
                if (y.at)
                    store_row(y.at + row * y.ld + j,
                              sum_of_row(pass, inner, r, part, 1, n, sum), n);
            }
        }
    }
#ifdef __SSE2__
    _mm_sfence(); /* before another thread reads the outputs */
#endif
}
/// [pass]

/* Where output i is, if it is an input as it is; NULL for a sum. */
static const real *only_input(const struct pass *pass, int i)
{
    const struct sums *outer = &pass->outer, *inner = &pass->inner;
    const real *x[MOST_PRODUCTS], *part[MOST_PRODUCTS];
    for (int q = 0; q < outer->inputs * inner->inputs; q++)
        x[q] = pass->x[q].at;
    for (int r = 0; r < inner->inputs; r++)
        part[r] = sum_of_row(pass, outer, i / inner->outputs, x + r, inner->inputs, 0, NULL);
    return sum_of_row(pass, inner, i % inner->outputs, part, 1, 0, NULL);
}

/* What a call of this method passes down the recursion. */
struct run {
    const struct context *ctx;
    double *additions;
};

static void make_pass(const struct run *run, const struct pass *pass)
{
    team_for(run->ctx->threads, pass->x[0].rows, pass_row, &pass, sizeof pass);
}

/* What m, n and k must be multiples of for some levels from `depth` on. */
static long unit_of(const struct context *ctx, int depth, int levels)
{
    long unit = 1;
    for (int i = depth; i < depth + levels; i++)
        unit *= table_at(ctx, i)->k; /* m and n are the same */
    return unit;
}

/* One level that a pass makes: its table, and which symmetric copy of it, see tables.h. */
struct level {
    const struct scheme *table;
    long copy;
};

/* No level: its only block is the matrix. */
static const struct scheme_product whole_matrix = {{1}, {1}, {1}};
static const struct scheme no_level = {"", 1, 1, 1, 1, &whole_matrix, NULL};

static struct level level_at(const struct context *ctx, int depth)
{
    return (struct level){table_at(ctx, depth), depth < 20 ? ctx->settings[0] >> 3 * depth : 0};
}

/* How many blocks a level cuts A (side 0), B (1) or C (2) into. */
static int blocks_of(const struct scheme *s, int side)
{
    return (side == 1 ? s->k : s->m) * (side == 0 ? s->k : s->n);
}

/* One of these blocks. */
static struct block block_of(const struct level *l, int side, struct block x, int q)
{
    const struct scheme *s = l->table;
    long rows = side == 1 ? s->k : s->m, cols = side == 0 ? s->k : s->n;
    long i = q / cols, j = q % cols;
    i = l->copy & (side == 1 ? 2 : 1) ? rows - 1 - i : i;
    j = l->copy & (side == 0 ? 2 : 4) ? cols - 1 - j : j;
    return part(x, i * (x.rows / rows), j * (x.cols / cols), x.rows / rows, x.cols / cols);
}

/* The sums of A, of B or of C. */
static struct sums sums_of(const struct scheme *s, int side)
{
    enum { PRODUCT = sizeof(struct scheme_product) / sizeof(double) }; /* its coefficients */
    const double *times[] = {s->product->a, s->product->b, s->product->c};
    int blocks = blocks_of(s, side);
    return side < 2 ? (struct sums){s->products, blocks, times[side], PRODUCT, 1}
                    : (struct sums){blocks, s->products, times[side], 1, PRODUCT};
}

/* How many levels a pass makes: two if they have at most MOST_PRODUCTS products, and one first
   if the number of levels is odd. */
static int levels_together(const struct context *ctx, int depth, int levels)
{
    int products = table_at(ctx, depth)->products * table_at(ctx, depth + 1)->products;
    return levels % 2 == 0 && products <= MOST_PRODUCTS ? 2 : 1;
}

/* Factor i is a new block, or a block of A or B that the pass need not write. */
static struct block take_factor(struct pass *pass, int i, real **workspace)
{
    struct block x = pass->x[0];
    pass->y[i] = take_staggered(workspace, x.rows, x.cols);
    if (!(x.at = (real *)only_input(pass, i)))
        return pass->y[i];
    pass->y[i].at = NULL;
    return x;
}

static void multiply_level(const struct run *run, struct product p, int depth, int levels,
                           real *workspace);

/* One level or two on sizes that their tables divide. */
static void levels_by_table(const struct run *run, struct product p, int depth, int levels,
                            real *workspace)
{
    int together = levels_together(run->ctx, depth, levels);
    struct level outer = together == 2 ? level_at(run->ctx, depth) : (struct level){&no_level};
    struct level inner = level_at(run->ctx, depth + together - 1);
    struct block matrix[3] = {p.a, p.b, p.c};
    struct pass passes[3];
    struct product products[MOST_PRODUCTS];
    if (inner.table->basis) /* the change of basis has counted backwards */
        outer = (struct level){outer.table}, inner = (struct level){inner.table};
    for (int side = 0; side < 3; side++) {
        struct pass *pass = passes + side;
        pass->outer = sums_of(outer.table, side), pass->inner = sums_of(inner.table, side);
        pass->additions = run->additions;
        int blocks = blocks_of(inner.table, side), all = blocks * blocks_of(outer.table, side);
        for (int q = 0; q < all; q++)
            (side < 2 ? pass->x : pass->y)[q] = block_of(
                &inner, side, block_of(&outer, side, matrix[side], q / blocks), q % blocks);
    }
    int count = outer.table->products * inner.table->products;
    for (int i = 0; i < count; i++) {
        products[i].a = take_factor(passes, i, &workspace);
        products[i].b = take_factor(passes + 1, i, &workspace);
        products[i].c = passes[2].x[i] =
            take_staggered(&workspace, passes[2].y[0].rows, passes[2].y[0].cols);
        products[i].accumulate = 0;
    }
    make_pass(run, passes);
    make_pass(run, passes + 1);
    for (int i = 0; i < count; i++)
        multiply_level(run, products[i], depth + together, levels - together, workspace);
    make_pass(run, passes + 2);
}

/* Replaces the blocks of A (side 0) or B (1) by the basis' sums on all levels, or these sums by
   the blocks of C (2). `to` may be `from`. */
static void change_basis(const struct run *run, const struct scheme *s, int side,
                         struct block from, struct block to, int depth, int levels)
{
    const double *basis = s->basis[side][0];
    struct level level = level_at(run->ctx, depth), forwards = {level.table};
    struct pass pass = {{1, 1, whole_matrix.a, 0, 0},
                        {4, 4, basis, side == 2 ? 1 : 4, side == 2 ? 4 : 1},
                        .additions = run->additions};
    for (int q = 0; q < 4; q++) {
        pass.x[q] = block_of(side < 2 ? &level : &forwards, side, from, q);
        pass.y[q] = block_of(side < 2 ? &forwards : &level, side, to, q);
    }
    make_pass(run, &pass);
    for (int q = 0; q < 4 && levels > 1; q++)
        change_basis(run, s, side, pass.y[q], pass.y[q], depth + 1, levels - 1);
}

/* All levels in another basis: it is changed once before and once after them. */
static void levels_in_basis(const struct run *run, struct product p, int levels,
                            real *workspace)
{
    const struct scheme *s = table_at(run->ctx, 0);
    struct block A = take_staggered(&workspace, p.a.rows, p.a.cols);
    struct block B = take_staggered(&workspace, p.b.rows, p.b.cols);
    change_basis(run, s, 0, p.a, A, 0, levels);
    change_basis(run, s, 1, p.b, B, 0, levels);
    levels_by_table(run, product_on(A, B, p.c), 0, levels, workspace);
    change_basis(run, s, 2, p.c, p.c, 0, levels);
}

/* The levels compute the rows, columns and inner indices that their tables divide. The leaf
   computes the few others, and adds the last inner indices to C. */
static void multiply_level(const struct run *run, struct product p, int depth, int levels,
                           real *workspace)
{
    long unit = unit_of(run->ctx, depth, levels);
    long m = p.c.rows / unit * unit, n = p.c.cols / unit * unit, k = p.a.cols / unit * unit;
    if (levels == 0 || !m || !n || !k) {
        multiply_leaf(run->ctx, p);
        return;
    }
    struct product whole =
        product_on(part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n), part(p.c, 0, 0, m, n));
    if (depth == 0 && table_at(run->ctx, 0)->basis)
        levels_in_basis(run, whole, levels, workspace);
    else
        levels_by_table(run, whole, depth, levels, workspace);
    multiply_borders(run->ctx, p, m, n, k);
}

static size_t levels_workspace(const struct context *ctx, long m, long n, long k, int depth,
                               int levels)
{
    if (levels == 0)
        return 0;
    const struct scheme *s = table_at(ctx, depth);
    size_t bases = depth == 0 && s->basis ? staggered(m, k) + staggered(k, n) : 0;
    int together = levels_together(ctx, depth, levels);
    long cut = unit_of(ctx, depth, together);
    size_t products =
        (size_t)s->products * (together == 2 ? (size_t)table_at(ctx, depth + 1)->products : 1);
    m /= cut, n /= cut, k /= cut;
    return bases + products * (staggered(m, k) + staggered(k, n) + staggered(m, n)) +
           levels_workspace(ctx, m, n, k, depth + together, levels - together);
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

void count_by_tables(const struct context *ctx, struct product p, int levels, real *workspace,
                     double *additions)
{
    char message[256];
    for (int i = 0; i < levels && i < 2; i++)
        if (!scheme_is_right(table_at(ctx, i), message, sizeof message)) {
            fprintf(stderr, "%s\n", message);
            exit(EXIT_WRONG);
        }
    struct context below = *ctx;
    struct run run = {&below, additions};
    below.leaf_workspace = workspace;
    multiply_level(&run, p, 0, levels, workspace + leaf_part(ctx, p));
}

void multiply_by_tables(const struct context *ctx, struct product p, int levels,
                        real *workspace)
{
    count_by_tables(ctx, p, levels, workspace, NULL);
}
