/* SPDX-License-Identifier: MIT */
#include "common/check/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 400 };

/* The evidence: some of the wrong elements, and the matrices. */
struct evidence {
    const struct matrix *c, *a, *b;
    const struct reference *r;
    const struct tolerance *t;
    long rows[MOST_SAMPLES], cols[MOST_SAMPLES];
    int count;
    long wrong, unwritten;
    long first_row, last_row, first_col, last_col; /* of the unwritten ones */
    bool quadrant_wrong[4];
};

struct out {
    char *text;
    size_t size;
};

static void say(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct out *out, const char *format, ...)
{
    size_t length = strlen(out->text);
    va_list arguments;
    va_start(arguments, format);
    if (length < out->size)
        vsnprintf(out->text + length, out->size - length, format, arguments);
    va_end(arguments);
}

static double expected(const struct evidence *e, long i, long j)
{
    return e->r->product[i * e->r->n + j];
}

static bool is_wrong(const struct evidence *e, long i, long j)
{
    return !(fabs(matrix_get(e->c, i, j) - expected(e, i, j)) <= 0);
}

static void collect(struct evidence *e)
{
    e->first_row = e->first_col = -1;
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++) {
            bool unwritten = isnan(matrix_get(e->c, i, j));
            if (unwritten) {
                e->first_row = e->first_row < 0 ? i : e->first_row;
                e->last_row = i;
                e->first_col = e->first_col < 0 || j < e->first_col ? j : e->first_col;
                e->last_col = j > e->last_col ? j : e->last_col;
                e->unwritten++;
            }
            if (!unwritten && (!e->t->exact || !is_wrong(e, i, j)))
                continue;
            e->wrong++;
            e->quadrant_wrong[2 * (i >= (e->c->rows + 1) / 2) + (j >= (e->c->cols + 1) / 2)] =
                true;
        }
    /* A sample spread over all wrong elements that have a value. */
    long values = e->wrong - e->unwritten, seen = 0;
    for (long i = 0; e->t->exact && i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++)
            if (is_wrong(e, i, j) && !isnan(matrix_get(e->c, i, j)) &&
                seen++ * MOST_SAMPLES / (values + 1) >= e->count && e->count < MOST_SAMPLES) {
                e->rows[e->count] = i;
                e->cols[e->count++] = j;
            }
}

/* ---- one hypothesis a function: what C would be there; NAN: the sizes do not allow it ---- */

static double term(const struct evidence *e, long i, long l, long j)
{
    return matrix_get(e->a, i, l) * matrix_get(e->b, l, j);
}

static double with_a_transposed(const struct evidence *e, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum += e->r->m == e->r->k ? matrix_get(e->a, l, i) * matrix_get(e->b, l, j) : NAN;
    return sum;
}

static double with_b_transposed(const struct evidence *e, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum += e->r->n == e->r->k ? matrix_get(e->a, i, l) * matrix_get(e->b, j, l) : NAN;
    return sum;
}

static double with_both_transposed(const struct evidence *e, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum += e->r->m == e->r->k && e->r->n == e->r->k
                   ? matrix_get(e->a, l, i) * matrix_get(e->b, j, l)
                   : NAN;
    return sum;
}

static double exchanged(const struct evidence *e, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum += e->r->m == e->r->k && e->r->n == e->r->k
                   ? matrix_get(e->b, i, l) * matrix_get(e->a, l, j)
                   : NAN;
    return sum;
}

static double c_transposed(const struct evidence *e, long i, long j)
{
    return e->r->m == e->r->n ? expected(e, j, i) : NAN;
}

static double negated(const struct evidence *e, long i, long j) { return -expected(e, i, j); }

static double twice(const struct evidence *e, long i, long j) { return 2 * expected(e, i, j); }

static double nothing(const struct evidence *e, long i, long j)
{
    (void)e, (void)i, (void)j;
    return 0;
}

static double next_row(const struct evidence *e, long i, long j)
{
    return i + 1 < e->r->m ? expected(e, i + 1, j) : NAN;
}

static double next_col(const struct evidence *e, long i, long j)
{
    return j + 1 < e->r->n ? expected(e, i, j + 1) : NAN;
}

static const struct {
    double (*value)(const struct evidence *, long i, long j);
    const char *sentence;
} hypotheses[] = {
    {nothing,
     "The wrong elements are 0: nothing was added up there, or the sum was not stored."},
    {negated, "The wrong elements have the opposite sign."},
    {twice,
     "The wrong elements are twice as large as they should be: every term was added twice."},
    {c_transposed, "C[i][j] holds what C[j][i] should: rows and columns of C are exchanged."},
    {with_a_transposed,
     "It is the product of A transposed and B: A[l][i] was read for A[i][l]."},
    {with_b_transposed,
     "It is the product of A and B transposed: B[j][l] was read for B[l][j]."},
    {with_both_transposed, "A and B were both read with their indices exchanged."},
    {exchanged, "It is B A in place of A B."},
    {next_row, "C[i][j] holds what C[i + 1][j] should: the rows are shifted by one."},
    {next_col, "C[i][j] holds what C[i][j + 1] should: the columns are shifted by one."},
};

/* ---- tiles ---- */

enum { TILES = 4 };
static const int tiles[TILES] = {8, 16, 32, 64};

/* Element (i, j) if the tile of A, or of B, never moves along k. */
static double with_still_tile(const struct evidence *e, long i, long j, int tile, bool of_a)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum +=
            matrix_get(e->a, i, of_a ? l % tile : l) * matrix_get(e->b, of_a ? l : l % tile, j);
    return sum;
}

/* Element (i, j) if row and column within a tile are exchanged for A, for B, or for both. */
static double from_turned_tile(const struct evidence *e, long i, long j, int tile, int which)
{
    long row = which & 1 ? i - i % tile + j % tile : i,
         col = which & 2 ? j - j % tile + i % tile : j;
    return row < e->r->m && col < e->r->n ? expected(e, row, col) : NAN;
}

static bool explain_tiles(const struct evidence *e, struct out *out)
{
    static const char *const turned[] = {
        "", "A's tile is read in the row of threadIdx.x and not of threadIdx.y",
        "B's tile is read in the column of threadIdx.y and not of threadIdx.x",
        "rows and columns are exchanged inside each tile of C"};
    for (int t = 0; t < TILES; t++)
        for (int which = 0; which < 4; which++) {
            bool of_a = which == 0, still = true, turn = which > 0;
            for (int s = 0; s < e->count && (still || turn); s++) {
                long i = e->rows[s], j = e->cols[s];
                double got = matrix_get(e->c, i, j);
                still &= which < 2 && tiles[t] < e->r->k &&
                         got == with_still_tile(e, i, j, tiles[t], of_a);
                turn &= which > 0 && got == from_turned_tile(e, i, j, tiles[t], which);
            }
            if (still && e->count) {
                say(out,
                    " The first %d %s of %c were used again and again: its tile, or the "
                    "pointer to "
                    "it, is not moved on along k.",
                    tiles[t], of_a ? "columns" : "rows", of_a ? 'A' : 'B');
                return true;
            }
            if (turn && e->count) {
                say(out, " In tiles of %d x %d, %s.", tiles[t], tiles[t], turned[which]);
                return true;
            }
        }
    return false;
}

static bool holds(const struct evidence *e,
                  double (*value)(const struct evidence *, long, long))
{
    for (int s = 0; s < e->count; s++)
        if (!(value(e, e->rows[s], e->cols[s]) == matrix_get(e->c, e->rows[s], e->cols[s])))
            return false;
    return e->count > 0;
}

/* ---- sums of a part of the k terms ---- */

/* Which parts fit all wrong elements: prefix[t] the first t terms, suffix[t] all but the first
   t, more[l] all terms and term l once more, less[l] all without term l. */
struct partial_sums {
    bool *prefix, *suffix, *more, *less;
};

static void try_partial_sums(const struct evidence *e, const struct partial_sums *p)
{
    long k = e->r->k;
    for (int s = 0; s < e->count; s++) {
        long i = e->rows[s], j = e->cols[s];
        double got = matrix_get(e->c, i, j), all = expected(e, i, j), sum = 0;
        for (long l = 0; l <= k; l++) {
            p->prefix[l] &= got == sum;
            p->suffix[l] &= got == all - sum;
            if (l < k) {
                double one = term(e, i, l, j);
                p->more[l] &= got == all + one;
                p->less[l] &= got == all - one;
                sum += one;
            }
        }
    }
}

static long find_true(const bool *flags, long from, long to)
{
    while (from < to && !flags[from])
        from++;
    return from < to ? from : -1;
}

static bool explain_parts(const struct evidence *e, struct out *out)
{
    long k = e->r->k, at;
    bool *flags = malloc(4 * ((size_t)k + 1));
    if (!flags)
        return false;
    memset(flags, 1, 4 * ((size_t)k + 1));
    struct partial_sums p = {flags, flags + k + 1, flags + 2 * (k + 1), flags + 3 * (k + 1)};
    try_partial_sums(e, &p);
    bool found = true;
    if ((at = find_true(p.prefix, 1, k)) >= 0) {
        say(out,
            " The sum ends too soon: it has the first %ld of k = %ld terms. The last %ld %s "
            "missing%s.",
            at, k, k - at, k - at == 1 ? "is" : "are",
            at % 8 == 0 ? ", a whole tile or the tail after the last whole one" : "");
    } else if ((at = find_true(p.suffix, 1, k)) >= 0) {
        if (at == k - 1)
            say(out, " C holds only the last of k = %ld terms: = in place of +=.", k);
        else if (at > k / 2 || at % 8 == 0)
            say(out,
                " C holds only the last %ld of k = %ld terms: each tile overwrites the sum of "
                "the "
                "ones before, = in place of +=.",
                k - at, k);
        else
            say(out, " The first %ld of k = %ld terms are missing: the loop begins too late.",
                at, k);
    } else if ((at = find_true(p.more, 0, k)) >= 0) {
        say(out, " Term %ld of the k = %ld terms was added twice.", at, k);
    } else if ((at = find_true(p.less, 0, k)) >= 0) {
        say(out, " Term %ld of the k = %ld terms is missing.", at, k);
    } else {
        found = false;
    }
    free(flags);
    return found;
}

/* ---- quadrants ---- */

/* Which of the seven products goes into which quadrants: bits of C11, C12, C21, C22. Winograd's
   are numbered as in explain_levels.c; M1 goes into three quadrants, M2 into all. */
static const unsigned strassen[7] = {9, 12, 10, 5, 3, 8, 1};
static const unsigned winograd[7] = {14, 15, 1, 12, 10, 2, 4};

static void explain_quadrants(const struct evidence *e, struct out *out)
{
    static const char *const names[] = {"C11", "C12", "C21", "C22"};
    unsigned set = 0;
    int count = 0;
    for (int q = 0; q < 4; q++)
        if (e->quadrant_wrong[q]) {
            set |= 1u << q;
            count++;
        }
    if (count == 4 && e->t->bound.kind != BOUND_WINOGRAD)
        return;
    say(out, " Wrong quadrants:");
    for (int q = 0, first = 1; q < 4; q++)
        if (set >> q & 1) {
            say(out, "%s %s", first ? "" : ",", names[q]);
            first = 0;
        }
    const unsigned *method = e->t->bound.kind == BOUND_WINOGRAD ? winograd : strassen;
    if (e->t->bound.kind != BOUND_CLASSICAL && e->t->levels > 0)
        for (int m = 0; m < 7; m++)
            if (method[m] == set)
                say(out,
                    ": exactly those into which M%d goes. Look at its factors, or at how it "
                    "is added",
                    m + 1);
    say(out, ".");
}

/* One level only: with more levels the mistake happens at each of them. */
static bool explain_level_of(const struct evidence *e, struct out *out)
{
    struct wrong_elements wrong = {e->c, e->a, e->b, e->rows, e->cols, e->count, 0};
    for (int q = 0; q < 4; q++)
        wrong.quadrants |= (unsigned)e->quadrant_wrong[q] << q;
    size_t length = strlen(out->text);
    return e->t->levels == 1 && e->t->bound.kind != BOUND_CLASSICAL &&
           explain_level(out->text + length, out->size - length, &wrong,
                         e->t->bound.kind == BOUND_WINOGRAD);
}

static void explain_values(const struct evidence *e, struct out *out)
{
    for (size_t h = 0; h < sizeof hypotheses / sizeof *hypotheses; h++)
        if (holds(e, hypotheses[h].value)) {
            say(out, " %s", hypotheses[h].sentence);
            return;
        }
    if (!explain_tiles(e, out))
        explain_parts(e, out);
}

long explain(char *text, size_t size, const struct matrix *c, const struct matrix *a,
             const struct matrix *b, const struct reference *r, const struct tolerance *t)
{
    struct evidence evidence = {.c = c, .a = a, .b = b, .r = r, .t = t}, *e = &evidence;
    struct out out = {text, size};
    collect(e);
    if (e->unwritten == c->rows * c->cols) {
        say(&out, " No element of C was ever written, or all became NaN.");
        return e->unwritten;
    }
    if (e->unwritten)
        say(&out, " %ld %s never written, or became NaN: rows %ld to %ld, columns %ld to %ld.",
            e->unwritten, e->unwritten == 1 ? "element was" : "elements were", e->first_row,
            e->last_row, e->first_col, e->last_col);
    if (t->levels > 0)
        explain_quadrants(e, &out);
    if (t->exact && e->count && !explain_level_of(e, &out))
        explain_values(e, &out);
    return e->unwritten;
}
