/* SPDX-License-Identifier: MIT */
/** @file packing.c
 * No pass over memory for the sums at all: the packed product reads A and B anyway, and writes
 * C anyway (Huang et al. (2016)).
 *
 * A product of two sums goes to several places. Halving it again gives sums of more terms and
 * more places, so two levels are the same code as one, and only the last level multiplies.
 */
#include "packing.h"

#include "common/scheme.h"

#include "winograd.h"

#include "steps/02-cpu-blocked/packed.h"

/* What a thread carries down the recursion. */
struct recursion {
    const struct scheme_product *method;
    struct worker worker;
};

/* Quadrants of every term of x, each with its sign: the quadrants are `rows` x `cols`, and
   smaller where an odd size ends. As a result, a quadrant is set by the first product that goes
   there. */
static struct sum quarter_sum(const struct sum *x, const double sign[MOST_BLOCKS], long rows,
                              long cols, const bool first[4])
{
    struct sum y = {0, x->ld, {{0}}};
    for (int t = 0; t < x->count; t++)
        for (int q = 0; q < 4; q++) {
            const struct term *whole = &x->term[t];
            long i = q / 2 * rows, j = q % 2 * cols;
            if (sign[q] != 0)
                y.term[y.count++] = (struct term){
                    whole->at + i * x->ld + j, larger(0, smaller(rows, whole->rows - i)),
                    larger(0, smaller(cols, whole->cols - j)), whole->sign * (real)sign[q],
                    whole->set && first && first[q]};
        }
    return y;
}

/// [walk]
/* The m x n x k product of two sums, with `levels` levels. All threads go through the same
 * recursion. */
static void multiply_walk(struct recursion *w, const struct sum *a, const struct sum *b,
                          const struct sum *c, long m, long n, long k, int levels)
{
    if (levels == 0) {
        multiply_sums(&w->worker, a, b, c);
        return;
    }
    bool first[4] = {true, true, true, true};
    m = (m + 1) / 2, n = (n + 1) / 2, k = (k + 1) / 2;
    for (int i = 0; i < 7; i++) {
        struct sum x = quarter_sum(a, w->method[i].a, m, k, NULL);
        struct sum y = quarter_sum(b, w->method[i].b, k, n, NULL);
        struct sum z = quarter_sum(c, w->method[i].c, m, n, first);
        multiply_walk(w, &x, &y, &z, m, n, k, levels - 1);
        for (int q = 0; q < 4; q++)
            first[q] = first[q] && w->method[i].c[q] == 0;
    }
}
/// [walk]

/* A size after `levels` halvings, rounded up each time. */
static long halved(long size, int levels) { return pieces_of(size, 1L << levels); }

static size_t packing_buffers(const struct context *ctx, struct product p, int levels)
{
    return workspace_of_blocks(halved(p.c.rows, levels), halved(p.c.cols, levels),
                               halved(p.a.cols, levels), ctx->threads,
                               default_blocks(ctx->threads));
}

/* What the threads of one product get. */
struct packing_job {
    const struct scheme_product *method;
    struct plan plan; /* of the products at the end of the recursion */
    struct product product;
    int levels;
    real *workspace, *collected;
};

static void run_packing(struct member *member, const void *what)
{
    const struct packing_job *job = what;
    struct product p = job->product;
    struct sum a = sum_of(p.a, false), b = sum_of(p.b, false), c = sum_of(p.c, !p.accumulate);
    struct recursion walk = {job->method,
                             {*member, &job->plan, job->workspace, job->collected}};
    multiply_walk(&walk, &a, &b, &c, p.c.rows, p.c.cols, p.a.cols, job->levels);
    *member = walk.worker.member;
}

/* One team of threads for the whole product: every thread goes through the recursion. */
static void multiply_in_team(const struct context *ctx, struct product p, int levels,
                             const struct scheme_product *method, real *workspace,
                             real *collected)
{
    struct plan plan =
        plan_for(halved(p.c.rows, levels), halved(p.c.cols, levels), halved(p.a.cols, levels),
                 ctx->threads, default_blocks(ctx->threads));
    struct packing_job job = {method, plan, p, levels, workspace, collected};
    team_run(plan.threads, run_packing, &job, sizeof job);
}

int levels_in_packing(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p; /* only the levels count */
    return levels < 2 ? levels : 2;
}

size_t workspace_packed_both(const struct context *ctx, struct product p, int levels)
{
    return packing_buffers(ctx, p, levels_in_packing(ctx, p, levels));
}

void multiply_packed_both(const struct context *ctx, struct product p, int levels,
                          real *workspace)
{
    multiply_in_team(ctx, p, levels_in_packing(ctx, p, levels), strassen_scheme.product,
                     workspace, NULL);
}

void multiply_packed_both_winograd(const struct context *ctx, struct product p, int levels,
                                   real *workspace)
{
    multiply_in_team(ctx, p, levels_in_packing(ctx, p, levels), winograd_scheme.product,
                     workspace, NULL);
}

size_t workspace_packed_sums(const struct context *ctx, struct product p, int levels)
{
    levels = levels_in_packing(ctx, p, levels);
    return (size_t)round_up((long)packing_buffers(ctx, p, levels), 16) +
           collected_elements(halved(p.c.rows, levels), halved(p.c.cols, levels),
                              default_blocks(ctx->threads));
}

void multiply_packed_sums(const struct context *ctx, struct product p, int levels,
                          real *workspace)
{
    levels = levels_in_packing(ctx, p, levels);
    long buffers = round_up((long)packing_buffers(ctx, p, levels), 16);
    multiply_in_team(ctx, p, levels, strassen_scheme.product, workspace, workspace + buffers);
}

/* ---- Passes above, packing below
 * ----------------------------------------------------------------------------------- */

/* The last level is made in the packing. The borders that odd sizes leave are too thin for a
   level: a few rows or columns. */
static size_t workspace_last_level(const struct context *ctx, struct product p, int levels)
{
    (void)levels; /* the sizes decide */
    return (size_t)larger((long)workspace_packed(ctx, p, 0),
                          (long)workspace_packed_sums(ctx, p, 1));
}

static void multiply_last_level(const struct context *ctx, struct product p, int levels,
                                real *workspace)
{
    (void)levels; /* other variants need more */
    enum { THIN = 32 };
    if (smaller(p.c.rows, smaller(p.c.cols, p.a.cols)) < THIN)
        multiply_packed(ctx, p, 0, workspace);
    else
        multiply_packed_sums(ctx, p, 1, workspace);
}

static struct context over_last_level(const struct context *ctx)
{
    static const struct leaf last_level = {.name = "packed-sums",
                                           .multiply = multiply_last_level,
                                           .workspace = workspace_last_level};
    struct context above = *ctx;
    above.leaf = &last_level;
    return above;
}

size_t workspace_mixed(const struct context *ctx, struct product p, int levels)
{
    struct context above = over_last_level(ctx);
    return levels == 0 ? workspace_packed(ctx, p, 0)
                       : workspace_with_leaf(&above, p, levels - 1, workspace_fused_level);
}

/* The levels above the last are Winograd's, in three passes each: a pass reads a quadrant once,
   where packing would read it for every product that it is in. */
void multiply_mixed(const struct context *ctx, struct product p, int levels, real *workspace)
{
    struct context above = over_last_level(ctx);
    if (levels == 0)
        multiply_packed(ctx, p, 0, workspace);
    else
        multiply_with_borders(&above, p, levels - 1, workspace, level_fused);
}

/* ---- The default: with the levels that measurements prefer
 * ----------------------------------- */

/// [levels]
/* A level pays if each thread has as much work as one thread has in a product of 1280. With
 * less, the sums and the waiting cost more than the eighth that is saved. A single thread does
 * not wait, so there a level pays from 1024 on. */
int levels_by_size(const struct context *ctx, struct product p, int levels)
{
    (void)levels; /* the sizes decide */
    const long least = ctx->threads > 1 ? 1280 : 1024;
    const double enough = (double)least * (double)least * (double)least;
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    int pay = 0;
    for (; smaller(m, smaller(n, k)) >= least; m /= 2, n /= 2, k /= 2, pay++)
        if ((double)m * (double)n * (double)k / ctx->threads < enough)
            break;
    return pay;
}
/// [levels]

size_t workspace_by_size(const struct context *ctx, struct product p, int levels)
{
    return workspace_mixed(ctx, p, levels_by_size(ctx, p, levels));
}

void multiply_by_size(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_mixed(ctx, p, levels_by_size(ctx, p, levels), workspace);
}
