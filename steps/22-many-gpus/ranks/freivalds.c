/* SPDX-License-Identifier: MIT */
/** @file freivalds.c
 * Checks a product that no rank holds as a whole.
 *
 * Freivalds (1977): C = A B is checked with vectors of random signs, A (B v) = C v, in double.
 * If C is computed from integers such that everything is exact, the two sides are equal or C is
 * wrong, and a wrong row passes CHECK_VECTORS vectors with a probability of at most
 * 2^-CHECK_VECTORS. (bound_of_errors() says which leaf is not exact on integers.)
 *
 * With rounding errors e in a row of n elements, each at most `bound`, e v is above 8 sqrt(n)
 * bound with a probability of at most 2 exp(-32) (Hoeffding): that is the limit. A row whose
 * errors have a 2-norm of twice the limit passes with (13/16)^CHECK_VECTORS at most (Paley and
 * Zygmund). And the mean of (e v)^2 is n times that of e^2: so the root mean square error is
 * measured, too.
 *
 * The bound is the worst case and grows like k^2. In float it is above C itself from about k =
 * 8000 on. So there is a second limit, a tenth of the root mean square of A B v (except with
 * --input scaled). It finds parts of a product that are missing or misplaced, but no single
 * wrong element: the run on integers finds that.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/matrix/random.h"
#include "ranks.h"

/* Writes why C is wrong. */
static void wrong(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void wrong(struct verdict *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->reason, sizeof v->reason, format, arguments);
    va_end(arguments);
    v->passed = false;
}

static double *numbers(struct comm *comm, long count)
{
    return comm_allocate(comm, (size_t)count * sizeof(double), "the check");
}

/* Y += X V, each rank with its tiles; Y then has the sum over all ranks. */
static void apply(const struct rank *r, const struct share *x, struct block held,
                  const double *v, double *y, long rows)
{
    for (long b = 0; b < tile_count(x); b++) {
        struct tile t = tile_of(x, held, b);
        r->comm->place->apply(t.at, v + t.col * CHECK_VECTORS, y + t.row * CHECK_VECTORS,
                              CHECK_VECTORS);
    }
    comm_sum(r->comm, y, rows * CHECK_VECTORS);
}

/* How many elements of an operand's share have changed, over all ranks. */
static double changed(const struct rank *r, const struct share *x, struct block held,
                      const struct source *operand)
{
    double sum = 0;
    for (long b = 0; b < tile_count(x); b++) {
        struct tile t = tile_of(x, held, b);
        sum += (double)r->comm->place->changed(t.at, operand, t.row, t.col);
    }
    comm_sum(r->comm, &sum, 1);
    return sum;
}

static void check_operands(const struct rank *r, struct verdict *v)
{
    double a = changed(r, &r->shares.a, r->held[0], &r->a);
    double b = changed(r, &r->shares.b, r->held[1], &r->b);
    if (a > 0 || b > 0)
        wrong(v, "%s was changed: %.0f of its elements", a > 0 ? "A" : "B", a > 0 ? a : b);
}

/* How large round-off errors may make (C - A B) v: what the theorems allow, but at most a tenth
   of A B v. For large k the theorems allow more than A B v itself, and every C would pass. If
   rows differ by powers of two, levels carry errors over from large rows to small ones, for
   which they are large: there only the theorems hold. */
static double limit_of(const struct rank *r, const double *abv, long count)
{
    double proved = 8 * sqrt((double)r->options->n) * r->bound, squares = 0;
    for (long i = 0; i < count; i++)
        squares += abv[i] * abv[i];
    return r->a.input == INPUT_SCALED ? proved
                                      : fmin(proved, sqrt(squares / (double)count) / 10);
}

/// [freivalds]
static void check_product(struct rank *r, struct verdict *verdict)
{
    const struct options *o = r->options;
    long m = r->plan.m, n = r->plan.n, k = r->plan.k;
    double *v = numbers(r->comm, n * CHECK_VECTORS), *bv = numbers(r->comm, k * CHECK_VECTORS);
    double *abv = numbers(r->comm, m * CHECK_VECTORS),
           *cv = numbers(r->comm, m * CHECK_VECTORS);
    for (long j = 0; j < o->n; j++) /* zeros beyond n, so that padding does not count */
        for (int l = 0; l < CHECK_VECTORS; l++)
            v[j * CHECK_VECTORS + l] = random_at(r->a.seed, 7, j, l) & 1 ? 1 : -1;
    apply(r, &r->shares.b, r->held[1], v, bv, k);
    apply(r, &r->shares.a, r->held[0], bv, abv, m);
    apply(r, &r->shares.c, r->held[2], v, cv, m);
    double limit = limit_of(r, abv, o->m * CHECK_VECTORS), squares = 0;
    long wrong_rows = 0, first = 0;
    for (long i = o->m - 1; i >= 0; i--) {
        bool right = true;
        for (int l = 0; l < CHECK_VECTORS; l++) {
            double difference = cv[i * CHECK_VECTORS + l] - abv[i * CHECK_VECTORS + l];
            squares += difference * difference;
            right = right && fabs(difference) <= limit; /* false for a NaN */
        }
        if (!right)
            wrong_rows++, first = i;
    }
    free(v), free(bv), free(abv), free(cv);
    r->rms = sqrt(squares / CHECK_VECTORS / (double)o->m / (double)o->n);
    if (wrong_rows)
        wrong(verdict,
              "%ld of %ld rows of C are not A B, the first is row %ld (C v - A (B v) is "
              "above %.3g)",
              wrong_rows, o->m, first, limit);
}
/// [freivalds]

static double element_of(const struct source *x, long i, long j)
{
    return input_element(x->input, x->which, x->seed, x->magnitude, x->rows, x->cols, i, j);
}

static double exact_element(const struct rank *r, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < r->options->k; l++)
        sum += element_of(&r->a, i, l) * element_of(&r->b, l, j);
    return sum;
}

/* Checks a small product of integers element by element: each rank computes its own elements of
   C again. */
static void check_elements(const struct rank *r, struct verdict *verdict)
{
    enum { WRONG_ONES, ROW, COL, FOUND, FIELDS }; /* ROW to FOUND: of the first wrong one */
    double mine[FIELDS] = {0};
    for (long b = 0; b < tile_count(&r->shares.c); b++) {
        struct tile t = tile_of(&r->shares.c, r->held[2], b);
        struct block here = t.at;
        here.at = comm_allocate(r->comm, (size_t)block_elements(t.at) * sizeof(real),
                                "the check of a tile");
        here.ld = here.cols;
        r->comm->place->fetch(here, t.at);
        for (long i = 0; i < here.rows && t.row + i < r->options->m; i++)
            for (long j = 0; j < here.cols && t.col + j < r->options->n; j++) {
                double found = (double)here.at[i * here.ld + j];
                if (fabs(found - exact_element(r, t.row + i, t.col + j)) <= r->bound)
                    continue;
                if (mine[WRONG_ONES]++ == 0)
                    mine[ROW] = (double)(t.row + i), mine[COL] = (double)(t.col + j),
                    mine[FOUND] = found;
            }
        free(here.at);
    }
    double *all = comm_gather(r->comm, mine, FIELDS);
    for (int other = r->comm->ranks - 1; other >= 0; other--) {
        const double *x = all + FIELDS * other;
        if (x[WRONG_ONES] > 0)
            wrong(verdict, "C[%.0f][%.0f] of rank %d: expected %.9g, got %.9g", x[ROW], x[COL],
                  other, exact_element(r, (long)x[ROW], (long)x[COL]), x[FOUND]);
    }
    free(all);
}

static bool is_same(struct traffic x, struct traffic y)
{
    return x.words == y.words && x.messages == y.messages;
}

/* Compares every rank's counters for the last run with the model's. */
static void check_counts(struct rank *r, struct verdict *verdict)
{
    double *all = comm_gather(r->comm, (const double *)&r->comm->moved, 4);
    r->most = (struct traffic){0, 0};
    r->model = plan_most_received(&r->plan);
    for (int rank = 0; rank < r->comm->ranks; rank++) {
        struct moved x = ((const struct moved *)all)[rank],
                     model = plan_traffic(&r->plan, rank);
        r->most.words = fmax(r->most.words, x.received.words);
        r->most.messages = fmax(r->most.messages, x.received.messages);
        if (verdict->passed &&
            !(is_same(x.received, model.received) && is_same(x.sent, model.sent)))
            wrong(verdict,
                  "rank %d received %.0f words in %.0f messages and sent %.0f in %.0f; the "
                  "model says %.0f in %.0f and %.0f in %.0f",
                  rank, x.received.words, x.received.messages, x.sent.words, x.sent.messages,
                  model.received.words, model.received.messages, model.sent.words,
                  model.sent.messages);
    }
    free(all);
}

struct verdict rank_judge(struct rank *r, struct result *result, bool exact)
{
    const double most = 1 << 24; /* few enough to compute again quickly */
    const struct options *o = r->options;
    struct verdict v = {.passed = true,
                        .max_error = NAN,
                        .mean_error = NAN,
                        .mean_magnitude = NAN,
                        .bound = r->bound};
    place_leaf_rest(); /* makes room for the check's vectors */
    check_operands(r, &v);
    if (v.passed && exact && (double)o->m * (double)o->n * (double)o->k <= most)
        check_elements(r, &v);
    if (v.passed)
        check_product(r, &v);
    if (v.passed && !rank_guards_hold(r))
        wrong(&v, "written outside a rank's elements");
    if (exact)
        check_counts(r, &v);
    result->judged |= JUDGED_FREIVALDS | JUDGED_GUARDS | (exact ? JUDGED_COUNTS : 0);
    return v;
}
