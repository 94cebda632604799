/* SPDX-License-Identifier: MIT */
/** @file freivalds.c
 * Freivalds' check over all ranks, and the exact one for small products.
 */
#include "freivalds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/matrix/random.h"

static double *numbers(struct comm *comm, long count)
{
    double *x = calloc((size_t)larger(1, count), sizeof *x);
    if (!x)
        comm_abort(comm, "no memory for the check: %ld bytes are needed",
                   count * (long)sizeof *x);
    return x;
}

/* Y += X V, each rank with its tiles; Y then has the sum over all ranks. */
static void apply(struct comm *comm, const struct share *x, const double *v, double *y,
                  long rows)
{
    for (long b = 0; b < 1L << 2 * x->layout.levels; b++) {
        long row, col;
        tile_origin(x, b, &row, &col);
        comm->place->apply(tile_of(x, b), v + col * CHECK_VECTORS, y + row * CHECK_VECTORS,
                           CHECK_VECTORS);
    }
    comm_sum(comm, y, rows * CHECK_VECTORS);
}

/* Elements of an operand's share that changed, over all ranks. */
static double changed(struct comm *comm, const struct share *x, const struct source *operand)
{
    double sum = 0;
    for (long b = 0; b < 1L << 2 * x->layout.levels; b++) {
        long row, col;
        tile_origin(x, b, &row, &col);
        sum += (double)comm->place->changed(tile_of(x, b), operand, row, col);
    }
    comm_sum(comm, &sum, 1);
    return sum;
}

static bool operands_are_whole(struct comm *comm, const struct shares *s,
                               const struct judged_product *p, struct verdict_on_ranks *v)
{
    double a = changed(comm, &s->a, &p->a), b = changed(comm, &s->b, &p->b);
    v->passed = a == 0 && b == 0;
    if (!v->passed)
        snprintf(v->reason, sizeof v->reason, "%s was changed: %.0f of its elements",
                 a > 0 ? "A" : "B", a > 0 ? a : b);
    return v->passed;
}

/* What rounding may make of (C - A B) v: what the theorems allow, and not more than a tenth of
   what A B v is. For large k the former is larger than A B v itself, and everything would be
   right. Where rows differ by powers of two, what levels make of the large ones is much for the
   small ones: there only the theorems hold. */
static double limit_of(const struct judged_product *p, const double *abv, long count)
{
    double proved = 8 * sqrt((double)p->n) * p->bound, squares = 0;
    for (long i = 0; i < count; i++)
        squares += abv[i] * abv[i];
    return p->a.input == INPUT_SCALED ? proved
                                      : fmin(proved, sqrt(squares / (double)count) / 10);
}

/// [freivalds]
struct verdict_on_ranks check_product(struct comm *comm, const struct shares *s,
                                      const struct judged_product *p)
{
    struct verdict_on_ranks verdict = {true, 0, ""};
    if (!operands_are_whole(comm, s, p, &verdict))
        return verdict;
    long m = s->c.layout.rows, n = s->c.layout.cols, k = s->a.layout.cols;
    double *v = numbers(comm, n * CHECK_VECTORS), *bv = numbers(comm, k * CHECK_VECTORS);
    double *abv = numbers(comm, m * CHECK_VECTORS), *cv = numbers(comm, m * CHECK_VECTORS);
    for (long j = 0; j < p->n; j++) /* zeros beyond: what is padded does not count */
        for (int l = 0; l < CHECK_VECTORS; l++)
            v[j * CHECK_VECTORS + l] = random_at(p->a.seed, 7, j, l) & 1 ? 1 : -1;
    apply(comm, &s->b, v, bv, k);
    apply(comm, &s->a, bv, abv, m);
    apply(comm, &s->c, v, cv, m);
    double limit = limit_of(p, abv, p->m * CHECK_VECTORS), squares = 0;
    long wrong = 0, first = 0;
    for (long i = p->m - 1; i >= 0; i--) {
        bool right = true;
        for (int l = 0; l < CHECK_VECTORS; l++) {
            double difference = cv[i * CHECK_VECTORS + l] - abv[i * CHECK_VECTORS + l];
            squares += difference * difference;
            right = right && fabs(difference) <= limit; /* a NaN is not */
        }
        if (!right)
            wrong++, first = i;
    }
    free(v), free(bv), free(abv), free(cv);
    verdict.rms = sqrt(squares / CHECK_VECTORS / (double)p->m / (double)p->n);
    verdict.passed = wrong == 0;
    if (wrong)
        snprintf(verdict.reason, sizeof verdict.reason,
                 "%ld of %ld rows of C are not A B, the first is row %ld (C v - A (B v) is "
                 "above %.3g)",
                 wrong, p->m, first, limit);
    return verdict;
}
/// [freivalds]

static double exact_element(const struct judged_product *p, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < p->k; l++)
        sum +=
            input_element(p->a.input, p->a.which, p->a.seed, p->a.magnitude, p->m, p->k, i, l) *
            input_element(p->b.input, p->b.which, p->b.seed, p->b.magnitude, p->k, p->n, l, j);
    return sum;
}

struct verdict_on_ranks check_elements(struct comm *comm, const struct shares *s,
                                       const struct judged_product *p)
{
    struct verdict_on_ranks verdict = {true, 0, ""};
    if (!operands_are_whole(comm, s, p, &verdict))
        return verdict;
    double mine[4] = {0, 0, 0,
                      0}; /* wrong ones; the first of them: row, column, what is there */
    for (long b = 0; b < 1L << 2 * s->c.layout.levels; b++) {
        struct block tile = tile_of(&s->c, b);
        long row, col, rows = tile.rows, cols = tile.cols;
        real *here = malloc((size_t)larger(1, rows * cols) * sizeof *here);
        if (!here)
            comm_abort(comm, "no memory for the check of a tile");
        tile_origin(&s->c, b, &row, &col);
        comm->place->fetch((struct block){here, rows, cols, cols}, tile);
        for (long i = 0; i < rows && row + i < p->m; i++)
            for (long j = 0; j < cols && col + j < p->n; j++) {
                double got = (double)here[i * cols + j];
                if (got == exact_element(p, row + i, col + j))
                    continue;
                if (mine[0]++ == 0)
                    mine[1] = (double)(row + i), mine[2] = (double)(col + j), mine[3] = got;
            }
        free(here);
    }
    double *all = numbers(comm, 4L * comm->ranks), wrong = 0;
    comm_all(comm, mine, 4, all);
    for (int r = comm->ranks - 1; r >= 0; r--) {
        wrong += all[4 * r];
        if (all[4 * r] > 0)
            snprintf(verdict.reason, sizeof verdict.reason,
                     "C[%.0f][%.0f] of rank %d: expected %.9g, got %.9g", all[4 * r + 1],
                     all[4 * r + 2], r,
                     exact_element(p, (long)all[4 * r + 1], (long)all[4 * r + 2]),
                     all[4 * r + 3]);
    }
    free(all);
    verdict.passed = wrong == 0;
    return verdict;
}
