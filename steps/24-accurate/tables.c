/* SPDX-License-Identifier: MIT */
/** @file tables.c
 * A level by its table takes three passes over memory: one forms all sums of A's blocks, one
 * those of B's, and one puts C together. The number of bytes that move does not depend on the
 * coefficients.
 */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/block.h"
#include "steps/02-cpu-blocked/team.h"
#include "models.h"

static const struct scheme *table_at(const struct tables *tables, int depth)
{
    int i = 0;
    while (i < depth && i < 3 && tables->level[i + 1])
        i++;
    return tables->level[i];
}

/// [sums]
/* A block's row, and what it is multiplied by. */
struct term {
    real times;
    const real *at;
};

/* y = the sum of the terms, in pairs while there are at most four of them. */
static void sum_terms(const struct term *t, int count, long n, real *restrict y)
{
    for (long j = 0; j < n; j++)
        y[j] = t[0].times * t[0].at[j];
    if (count == 2)
        for (long j = 0; j < n; j++)
            y[j] += t[1].times * t[1].at[j];
    if (count == 3)
        for (long j = 0; j < n; j++)
            y[j] = y[j] + t[1].times * t[1].at[j] + t[2].times * t[2].at[j];
    if (count >= 4)
        for (long j = 0; j < n; j++)
            y[j] = (y[j] + t[1].times * t[1].at[j]) +
                   (t[2].times * t[2].at[j] + t[3].times * t[3].at[j]);
    for (int i = 4; i < count; i++)
        for (long j = 0; j < n; j++)
            y[j] += t[i].times * t[i].at[j];
}
/// [sums]

/// [pass]
/* The sums of a pass: y[i] is the sum of all x[j] times coefficient [i][j]. A y without memory
   is skipped. */
struct pass {
    int outputs, inputs;
    struct block y[MOST_PRODUCTS], x[MOST_PRODUCTS];
    double times[MOST_PRODUCTS][MOST_PRODUCTS];
};

/* Some columns at a time, so that the rows of the inputs stay in the level 1 cache for all
   outputs. */
enum { COLUMNS = 512 };

static void pass_row(long row, const void *what)
{
    const struct pass *pass = *(const struct pass *const *)what;
    long cols = pass->y[0].cols;
    for (long j = 0; j < cols; j += COLUMNS)
        for (int i = 0; i < pass->outputs; i++) {
            struct term terms[MOST_PRODUCTS];
            int count = 0;
            for (int x = 0; x < pass->inputs; x++)
                if (pass->times[i][x] != 0)
                    terms[count++] = (struct term){(real)pass->times[i][x],
                                                   pass->x[x].at + row * pass->x[x].ld + j};
            if (pass->y[i].at)
                sum_terms(terms, count, smaller(COLUMNS, cols - j),
                          pass->y[i].at + row * pass->y[i].ld + j);
        }
}

static void make_pass(int threads, const struct pass *pass)
{
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

/* What a level's sizes must be multiples of, with the levels below it. */
struct unit {
    long m, n, k;
};

static struct unit unit_of(const struct tables *tables, int depth, int levels)
{
    struct unit u = {1, 1, 1};
    for (int i = depth; i < depth + levels; i++) {
        const struct scheme *s = table_at(tables, i);
        u.m *= s->m, u.n *= s->n, u.k *= s->k;
    }
    return u;
}

/// [level]
static void multiply_level(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace, const struct tables *tables);

/* One level on sizes that its table divides. */
static void level_by_table(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace, const struct tables *tables)
{
    const struct scheme *s = table_at(tables, depth);
    long copy = depth < 20 ? ctx->settings[0] >> 3 * depth & 7 : 0;
    bool rows = copy & 1, inner = copy & 2, cols = copy & 4;
    struct pass *a = calloc(3, sizeof *a), *b = a + 1, *c = a + 2;
    if (!a)
        fputs("24-accurate: no memory for a level\n", stderr), exit(EXIT_RESOURCE);
    *a = (struct pass){.outputs = s->products, .inputs = s->m * s->k};
    *b = (struct pass){.outputs = s->products, .inputs = s->k * s->n};
    *c = (struct pass){.outputs = s->m * s->n, .inputs = s->products};
    for (int q = 0; q < a->inputs; q++)
        a->x[q] = block_of(p.a, q, s->m, s->k, rows, inner);
    for (int q = 0; q < b->inputs; q++)
        b->x[q] = block_of(p.b, q, s->k, s->n, inner, cols);
    for (int q = 0; q < c->outputs; q++)
        c->y[q] = block_of(p.c, q, s->m, s->n, rows, cols);
    struct product products[MOST_PRODUCTS];
    for (int i = 0; i < s->products; i++) {
        const struct scheme_product *t = &s->product[i];
        memcpy(a->times[i], t->a, sizeof t->a);
        memcpy(b->times[i], t->b, sizeof t->b);
        for (int q = 0; q < c->outputs; q++)
            c->times[q][i] = t->c[q];
        int only_a = only_block(t->a, a->inputs), only_b = only_block(t->b, b->inputs);
        a->y[i] = take_block(&workspace, a->x[0].rows, a->x[0].cols);
        b->y[i] = take_block(&workspace, b->x[0].rows, b->x[0].cols);
        c->x[i] = take_block(&workspace, c->y[0].rows, c->y[0].cols);
        products[i] = product_on(only_a < 0 ? a->y[i] : a->x[only_a],
                                 only_b < 0 ? b->y[i] : b->x[only_b], c->x[i]);
        a->y[i].at = only_a < 0 ? a->y[i].at : NULL;
        b->y[i].at = only_b < 0 ? b->y[i].at : NULL;
    }
    make_pass(ctx->threads, a);
    make_pass(ctx->threads, b);
    for (int i = 0; i < s->products; i++)
        multiply_level(ctx, products[i], depth + 1, levels - 1, workspace, tables);
    make_pass(ctx->threads, c);
    free(a);
}

/* The levels compute the rows, columns and inner indices that their tables divide. The leaf
   computes the few others, and adds the last inner indices to C. */
static void multiply_level(const struct context *ctx, struct product p, int depth, int levels,
                           real *workspace, const struct tables *tables)
{
    struct unit unit = unit_of(tables, depth, levels);
    long rows = p.c.rows, cols = p.c.cols, inner = p.a.cols;
    long m = rows / unit.m * unit.m, n = cols / unit.n * unit.n, k = inner / unit.k * unit.k;
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
    level_by_table(ctx, whole, depth, levels, workspace, tables);
    for (int i = 0; i < 3; i++)
        if (borders[i].c.rows && borders[i].c.cols && borders[i].a.cols)
            multiply_leaf(ctx, borders[i]);
}
/// [level]

static size_t levels_workspace(long m, long n, long k, int depth, int levels,
                               const struct tables *tables)
{
    if (levels == 0)
        return 0;
    const struct scheme *s = table_at(tables, depth);
    m /= s->m, n /= s->n, k /= s->k;
    return (size_t)s->products * (size_t)(m * k + k * n + m * n) +
           levels_workspace(m, n, k, depth + 1, levels - 1, tables);
}

/* Elements of the leaf's workspace, in whole cache lines. */
static size_t leaf_part(const struct context *ctx, struct product p)
{
    return (size_t)round_up((long)leaf_workspace(ctx, p), 16);
}

size_t tables_workspace(const struct context *ctx, struct product p, int levels,
                        const struct tables *tables)
{
    return leaf_part(ctx, p) +
           levels_workspace(p.c.rows, p.c.cols, p.a.cols, 0, levels, tables);
}

void multiply_by_tables(const struct context *ctx, struct product p, int levels,
                        real *workspace, const struct tables *tables)
{
    char message[256];
    for (int i = 0; i < 4 && tables->level[i]; i++)
        if (!scheme_is_right(tables->level[i], message, sizeof message)) {
            fprintf(stderr, "%s\n", message);
            exit(EXIT_WRONG);
        }
    struct context below = *ctx;
    below.leaf_workspace = workspace;
    multiply_level(&below, p, 0, levels, workspace + leaf_part(ctx, p), tables);
}
