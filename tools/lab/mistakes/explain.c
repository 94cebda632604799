/* SPDX-License-Identifier: MIT */
#include "explain.h"

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
    long m, n, k; /* what levels halve: the matrices, or padded ones */
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
            e->quadrant_wrong[2 * (i >= (e->m + 1) / 2) + (j >= (e->n + 1) / 2)] = true;
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

static double negated(const struct evidence *e, long i, long j) { return -expected(e, i, j); }

static double twice(const struct evidence *e, long i, long j) { return 2 * expected(e, i, j); }

static double nothing(const struct evidence *e, long i, long j)
{
    (void)e, (void)i, (void)j;
    return 0;
}

/* What another element should be; NAN outside. */
static double other(const struct evidence *e, long i, long j)
{
    return i >= 0 && j >= 0 && i < e->r->m && j < e->r->n ? expected(e, i, j) : NAN;
}

static double c_transposed(const struct evidence *e, long i, long j) { return other(e, j, i); }
static double next_row(const struct evidence *e, long i, long j) { return other(e, i + 1, j); }
static double next_col(const struct evidence *e, long i, long j) { return other(e, i, j + 1); }
static double row_of_j(const struct evidence *e, long i, long j)
{
    return (void)i, other(e, j, j);
}
static double col_of_i(const struct evidence *e, long i, long j)
{
    return (void)j, other(e, i, i);
}
static double row_before(const struct evidence *e, long i, long j)
{
    return other(e, i - 1, j);
}
static double col_before(const struct evidence *e, long i, long j)
{
    return other(e, i, j - 1);
}

static const struct {
    double (*value)(const struct evidence *, long i, long j);
    const char *sentence;
} hypotheses[] = {
    {negated, "The wrong elements have the opposite sign."},
    {twice, "The wrong elements are twice as large as they should be."},
    {c_transposed, "C[i][j] holds what C[j][i] should: rows and columns of C are exchanged."},
    {with_a_transposed,
     "It is the product of A transposed and B: A[l][i] was read for A[i][l]."},
    {with_b_transposed,
     "It is the product of A and B transposed: B[j][l] was read for B[l][j]."},
    {with_both_transposed, "A and B were both read with their indices exchanged."},
    {exchanged, "It is B A in place of A B."},
    {next_row, "C[i][j] holds what C[i + 1][j] should: the rows are shifted by one."},
    {next_col, "C[i][j] holds what C[i][j + 1] should: the columns are shifted by one."},
    {row_of_j, "C[i][j] holds what C[j][j] should: A was read in row j for row i."},
    {col_of_i, "C[i][j] holds what C[i][i] should: B was read in column i for column j."},
    {row_before, "C[i][j] holds what C[i - 1][j] should: the rows are shifted by one."},
    {col_before, "C[i][j] holds what C[i][j - 1] should: the columns are shifted by one."},
};

/* The hypotheses that fit. Only a single one is said: where two of them fit, neither is known.
 */
struct fitting {
    int count;
    char sentence[512];
};

static void add_fitting(struct fitting *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_fitting(struct fitting *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (f->count++ == 0)
        vsnprintf(f->sentence, sizeof f->sentence, format, arguments);
    va_end(arguments);
}

/* A hypothesis with numbers of its own. */
struct hypothesis {
    double (*value)(const struct evidence *, const struct hypothesis *, long i, long j);
    double (*plain)(const struct evidence *, long i, long j); /* one without any */
    int tile, which;
    long ld;
};

static bool fits_at(const struct evidence *e, const struct hypothesis *h, long i, long j)
{
    return (h->plain ? h->plain(e, i, j) : h->value(e, h, i, j)) == matrix_get(e->c, i, j);
}

/* Whether all wrong elements are as it says; first some from everywhere, then all. */
static bool fits(const struct evidence *e, const struct hypothesis *h)
{
    for (int s = 0; s < e->count; s++)
        if (!fits_at(e, h, e->rows[s], e->cols[s]))
            return false;
    for (long i = 0; i < e->c->rows && e->wrong > e->count; i++)
        for (long j = 0; j < e->c->cols; j++)
            if (is_wrong(e, i, j) && !isnan(matrix_get(e->c, i, j)) && !fits_at(e, h, i, j))
                return false;
    return e->count > 0;
}

/* Whether all elements of C are as it says, also those that are right. */
static bool fits_everywhere(const struct evidence *e, const struct hypothesis *h)
{
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++)
            if (!fits_at(e, h, i, j))
                return false;
    return true;
}

/* ---- tiles ---- */

enum { TILES = 4 };
static const int tiles[TILES] = {8, 16, 32, 64};

/* Element (i, j) if neither tile moves along k. Full tiles: the last one, too, is used whole.
 */
static double with_both_still(const struct evidence *e, const struct hypothesis *h, long i,
                              long j)
{
    double sum = 0;
    int tile = h->tile;
    for (long l = 0; l < e->r->k || (h->which && l % tile); l++)
        sum += term(e, i, l % tile, j);
    return sum;
}

/* Element (i, j) if the tile of A, or of B, never moves along k, or (2, 3) not at all. */
static double with_still_tile(const struct evidence *e, const struct hypothesis *h, long i,
                              long j)
{
    double sum = 0;
    int tile = h->tile, of_b = h->which % 2;
    for (long l = 0; l < e->r->k; l++)
        sum += matrix_get(e->a, h->which == 2 ? i % tile : i, of_b ? l : l % tile) *
               matrix_get(e->b, of_b ? l % tile : l, h->which == 3 ? j % tile : j);
    return sum;
}

/* Element (i, j) if it is that of the first tile in its column, or in its row. */
static double from_first_tile(const struct evidence *e, const struct hypothesis *h, long i,
                              long j)
{
    return other(e, h->which ? i : i % h->tile, h->which ? j % h->tile : j);
}

/* Element (i, j) if row and column within a tile are exchanged for A, for B, or for both. */
static double from_turned_tile(const struct evidence *e, const struct hypothesis *h, long i,
                               long j)
{
    int tile = h->tile;
    double value = other(e, h->which & 1 ? i - i % tile + j % tile : i,
                         h->which & 2 ? j - j % tile + i % tile : j);
    return isnan(value) ? 0 : value; /* outside of the matrix a tile holds 0 */
}

static double element_or_zero(const struct matrix *x, long i, long j)
{
    return i < x->rows && j < x->cols ? matrix_get(x, i, j) : 0;
}

/* Element (i, j) if a tile of A, or of B, or both lie transposed in shared memory; outside of
   the matrix a tile holds 0. */
static double with_transposed_tile(const struct evidence *e, const struct hypothesis *h, long i,
                                   long j)
{
    double sum = 0;
    int tile = h->tile;
    for (long l = 0; l < e->r->k || l % tile; l++) {
        long first = l - l % tile;
        double x = h->which & 1
                       ? element_or_zero(e->a, i - i % tile + l % tile, first + i % tile)
                       : element_or_zero(e->a, i, l);
        double y = h->which & 2
                       ? element_or_zero(e->b, first + j % tile, j - j % tile + l % tile)
                       : element_or_zero(e->b, l, j);
        sum += x * y;
    }
    return sum;
}

/* Element (i, j) if the tile diagonally opposite in a block of 2 x 2 of them stands there. */
static double from_opposite_tile(const struct evidence *e, const struct hypothesis *h, long i,
                                 long j)
{
    double value = other(e, i ^ h->tile, j ^ h->tile);
    return isnan(value) ? 0 : value;
}

/* Element (i, j) if in each pair of neighbouring strips of rows, or of columns, the two are
   exchanged; 0 outside of the matrix. */
static double from_other_strip(const struct evidence *e, const struct hypothesis *h, long i,
                               long j)
{
    double value = h->which ? other(e, i, j ^ h->tile) : other(e, i ^ h->tile, j);
    return isnan(value) ? 0 : value;
}

static void try_strips(const struct evidence *e, struct fitting *f)
{
    for (int which = 0; which < 2 && e->t->levels == 0; which++) /* quadrants have names */
        for (int side = 1; side <= 64; side *= 2) {
            struct hypothesis h = {.value = from_other_strip, .tile = side, .which = which};
            const char *name = which ? "columns" : "rows";
            if (side >= (which ? e->r->n : e->r->m) || !fits_everywhere(e, &h))
                continue;
            if (side == 1)
                add_fitting(f, "In every pair of %s the two are exchanged.", name);
            else
                add_fitting(f, "In every %d %s the first %d and the last %d are exchanged.",
                            2 * side, name, side, side);
        }
}

/* Whether tiles of this side say something else than the whole matrix does. */
static bool is_a_tile(int tile, long rows, long cols) { return tile < rows || tile < cols; }

static void try_tiles(const struct evidence *e, struct fitting *f)
{
    static const char *const turned[] = {
        "", "A is read in the row of threadIdx.x and not of threadIdx.y",
        "B is read in the column of threadIdx.y and not of threadIdx.x",
        "rows and columns are exchanged inside each tile of C"};
    static const char *const transposed[] = {"", "A's tile lies transposed",
                                             "B's tile lies transposed",
                                             "both tiles lie transposed"};
    for (int t = 0; t < TILES; t++)
        for (int which = 0; which < 4; which++) {
            struct hypothesis h = {.tile = tiles[t], .which = which};
            h.value = from_first_tile;
            if (which < 2 && e->t->levels == 0 && 2 * tiles[t] <= (which ? e->r->n : e->r->m) &&
                fits_everywhere(e, &h))
                add_fitting(f, "%s %d to %ld of C hold what the first %d should.",
                            which ? "Columns" : "Rows", tiles[t],
                            (which ? e->r->n : e->r->m) - 1, tiles[t]);
            h.value = with_still_tile;
            if (which > 1 && tiles[t] < e->r->k &&
                tiles[t] < (which == 2 ? e->r->m : e->r->n) && fits(e, &h))
                add_fitting(f, "The first %d x %d elements of %c were used again and again.",
                            tiles[t], tiles[t], "AB"[which - 2]);
            if (which < 2 && tiles[t] < e->r->k && fits(e, &h))
                add_fitting(
                    f,
                    "The first %d %s of %c were used again and again: the tile of %c is "
                    "not moved on along k.",
                    tiles[t], which ? "rows" : "columns", "AB"[which], "AB"[which]);
            h.value = with_both_still;
            if (which < 2 && tiles[t] < e->r->k && (which == 0 || e->r->k % tiles[t]) &&
                fits(e, &h))
                add_fitting(f,
                            "The first %d columns of A and the first %d rows of B were used "
                            "again and again: neither is moved on along k.",
                            tiles[t], tiles[t]);
            h.value = from_opposite_tile; /* quadrants have names */
            if (!which && e->t->levels == 0 && tiles[t] < e->r->m && tiles[t] < e->r->n &&
                fits(e, &h))
                add_fitting(f,
                            "In blocks of %d x %d, wrong elements hold what those of the "
                            "diagonally opposite tile of %d x %d should.",
                            2 * tiles[t], 2 * tiles[t], tiles[t], tiles[t]);
            h.value = from_turned_tile;
            if (which && tiles[t] < e->r->m && tiles[t] < e->r->n && fits(e, &h))
                add_fitting(f, "In tiles of %d x %d, %s.", tiles[t], tiles[t], turned[which]);
            h.value = with_transposed_tile;
            if (which && (!(which & 1) || is_a_tile(tiles[t], e->r->m, e->r->k)) &&
                (!(which & 2) || is_a_tile(tiles[t], e->r->k, e->r->n)) && fits(e, &h))
                add_fitting(f, "In tiles of %d x %d, %s where it is summed.", tiles[t],
                            tiles[t], transposed[which]);
        }
}

/* ---- shifts by more than one row or column ---- */

/* Element (i, j) if it is another row's, or another column's; 0 outside of the matrix. */
static double from_shifted(const struct evidence *e, const struct hypothesis *h, long i, long j)
{
    double value = h->which ? other(e, i, j + h->ld) : other(e, i + h->ld, j);
    return isnan(value) ? 0 : value;
}

static void try_shifts(const struct evidence *e, struct fitting *f)
{
    enum { MOST = 64 };
    for (int which = 0; which < 2 && e->t->levels == 0; which++) /* quadrants have names */
        for (long by = -MOST; by <= MOST; by++) {
            struct hypothesis h = {.value = from_shifted, .which = which, .ld = by};
            int inside = 0;
            if (labs(by) < 2 || !fits(e, &h)) /* by one has a sentence of its own */
                continue;
            for (int s = 0; s < e->count; s++)
                inside += from_shifted(e, &h, e->rows[s], e->cols[s]) != 0;
            if (2 * inside < e->count)
                continue;
            if (which)
                add_fitting(f, "The wrong elements C[i][j] hold what C[i][j %c %ld] should.",
                            by < 0 ? '-' : '+', labs(by));
            else
                add_fitting(f, "The wrong elements C[i][j] hold what C[i %c %ld][j] should.",
                            by < 0 ? '-' : '+', labs(by));
        }
}

/* ---- leading dimensions ---- */

/* The element `at` places behind the first one; NAN: in a gap between rows, or past the end. */
static double element_at(const struct matrix *x, long at)
{
    return at / x->ld < x->rows && at % x->ld < x->cols ? matrix_get(x, at / x->ld, at % x->ld)
                                                        : NAN;
}

/* Element (i, j) if the rows of A (or B) are taken to lie `ld` apart. */
static double with_other_ld(const struct evidence *e, const struct hypothesis *h, long i,
                            long j)
{
    double sum = 0;
    for (long l = 0; l < e->r->k; l++)
        sum += h->which ? matrix_get(e->a, i, l) * element_at(e->b, l * h->ld + j)
                        : element_at(e->a, i * h->ld + l) * matrix_get(e->b, l, j);
    return sum;
}

static void try_lds(const struct evidence *e, struct fitting *f)
{
    static const char *const names[] = {"m", "n", "k", "lda", "ldb", "ldc"};
    long values[] = {e->r->m, e->r->n, e->r->k, e->a->ld, e->b->ld, e->c->ld};
    for (int which = 0; which < 2; which++)
        for (int v = 0; v < 6; v++) {
            struct hypothesis h = {.value = with_other_ld, .which = which, .ld = values[v]};
            bool before = h.ld == (which ? e->b : e->a)->ld;
            for (int w = 0; w < v; w++)
                before = before || values[w] == h.ld;
            if (!before && fits(e, &h))
                add_fitting(f,
                            "The rows of %c are read as if they lay %s = %ld elements apart; "
                            "they lie ld%c = %ld apart.",
                            "AB"[which], names[v], h.ld, "ab"[which],
                            (which ? e->b : e->a) -> ld);
        }
}

/* ---- sums of a part of the k terms ---- */

/* Which parts fit all wrong elements: prefix[t] the first t terms, suffix[t] all but the first
   t, more[l] all terms and term l once more, less[l] all without term l, minus[l] term l
   subtracted, without[t][q] all without tile q of side tiles[t]. */
struct partial_sums {
    bool *prefix, *suffix, *more, *less, *minus, *without[TILES];
};
enum { KINDS_OF_SUMS = 5 + TILES };

static void try_element(const struct evidence *e, const struct partial_sums *p, long i, long j)
{
    long k = e->r->k;
    double got = matrix_get(e->c, i, j), all = expected(e, i, j), sum = 0, tile[TILES] = {0};
    for (long l = 0; l <= k; l++) {
        p->prefix[l] &= got == sum;
        p->suffix[l] &= got == all - sum;
        double one = l < k ? term(e, i, l, j) : 0;
        p->more[l] &= got == all + one;
        p->less[l] &= got == all - one;
        p->minus[l] &= got == all - 2 * one;
        sum += one;
        for (int t = 0; t < TILES; t++) {
            tile[t] += one;
            if ((l + 1) % tiles[t] && l < k)
                continue;
            p->without[t][l / tiles[t]] &= got == all - tile[t];
            tile[t] = 0;
        }
    }
}

/* The only true flag; -1 if there is none, or more than one. */
static long only_true(const bool *flags, long from, long to, int *count)
{
    long found = -1;
    for (long i = from; i < to; i++)
        if (flags[i]) {
            found = i;
            ++*count;
        }
    return found;
}

static void try_partial_sums(const struct evidence *e, struct fitting *f)
{
    long k = e->r->k, at;
    size_t size = (size_t)k + 1;
    bool *flags = malloc(KINDS_OF_SUMS * size);
    if (!flags)
        return;
    memset(flags, 1, KINDS_OF_SUMS * size);
    struct partial_sums p = {
        flags, flags + size, flags + 2 * size, flags + 3 * size, flags + 4 * size, {0}};
    for (int t = 0; t < TILES; t++)
        p.without[t] = flags + (5 + (size_t)t) * size;
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++)
            if (is_wrong(e, i, j) && !isnan(matrix_get(e->c, i, j)))
                try_element(e, &p, i, j);
    int before = f->count;
#define FITTING(flags, from, to, ...)                                                          \
    do {                                                                                       \
        int count = 0;                                                                         \
        at = only_true(flags, from, to, &count);                                               \
        for (; count > 0; count--)                                                             \
            add_fitting(f, __VA_ARGS__);                                                       \
    } while (0)
    FITTING(p.prefix, 1, k,
            "The wrong elements have only the first %ld of k = %ld terms; the last %ld %s "
            "missing.",
            at, k, k - at, k - at == 1 ? "is" : "are");
    FITTING(p.suffix, 1, k - 1, "The wrong elements have only the last %ld of k = %ld terms.",
            k - at, k);
    FITTING(p.suffix, k > 2 ? k - 1 : k, k,
            "The wrong elements have only the last of k = %ld terms: = in place of +=.", k);
    FITTING(p.more, 0, k, "Term %ld of the k = %ld terms was added twice.", at, k);
    if (f->count == before) /* the first or the last one was told above */
        FITTING(p.less, 0, k, "Term %ld of the k = %ld terms is missing.", at, k);
    FITTING(p.minus, 0, k, "Term %ld of the k = %ld terms has the opposite sign.", at, k);
    for (int t = 0; t < TILES && f->count == before; t++)
        FITTING(p.without[t], 0, (k + tiles[t] - 1) / tiles[t],
                "Terms %ld to %ld of the k = %ld terms are missing.", at * tiles[t],
                at * tiles[t] + tiles[t] - 1, k);
#undef FITTING
    free(flags);
}

/* ---- quadrants ---- */

static void say_quadrants(const struct evidence *e, struct out *out)
{
    static const char *const names[] = {"C11", "C12", "C21", "C22"};
    int count = 0;
    for (int q = 0; q < 4; q++)
        count += e->quadrant_wrong[q];
    if (count == 0 || count == 4)
        return;
    say(out, " Wrong quadrants:");
    for (int q = 0, first = 1; q < 4; q++)
        if (e->quadrant_wrong[q]) {
            say(out, "%s %s", first ? "" : ",", names[q]);
            first = 0;
        }
    say(out, ".");
}

/* Whether quadrant `q` of C holds what quadrant `from` should. */
static bool holds_quadrant(const struct evidence *e, int q, int from)
{
    long m = e->m / 2, n = e->n / 2;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            if (matrix_get(e->c, q / 2 * m + i, q % 2 * n + j) !=
                expected(e, from / 2 * m + i, from % 2 * n + j))
                return false;
    return true;
}

/* Each wrong quadrant holds what another one should. */
static void try_quadrants(const struct evidence *e, struct fitting *f)
{
    static const char *const names[] = {"C11", "C12", "C21", "C22"};
    char sentence[256] = "";
    struct out out = {sentence, sizeof sentence};
    if (e->t->levels < 1 || e->m != 2 * (e->c->rows / 2) || e->n != 2 * (e->c->cols / 2))
        return;
    for (int q = 0; q < 4; q++) {
        int from = 0;
        if (!e->quadrant_wrong[q])
            continue;
        while (from < 4 && (from == q || !holds_quadrant(e, q, from)))
            from++;
        if (from == 4)
            return;
        say(&out, "%s%s holds what %s should", *sentence ? ", " : "", names[q], names[from]);
    }
    add_fitting(f, "%s.", sentence);
}

static void try_levels(const struct evidence *e, struct fitting *f, bool several)
{
    struct wrong_elements wrong = {e->c, e->a,    e->b,    e->m,     e->n,
                                   e->k, e->rows, e->cols, e->count, e->t->levels};
    char sentence[sizeof f->sentence];
    int count = e->t->levels > 0 ? explain_level(sentence, sizeof sentence, &wrong,
                                                 e->t->bound.kind, several)
                                 : 0;
    for (; count > 0; count--)
        add_fitting(f, "%s", sentence);
}

/* With fewer wrong elements than FEWEST, sums of a few terms fit by chance; more than most_work
   would take too long. */
enum { FEWEST = 4 };
static const double most_work = 0x1p30;

/* Whether a whole row, or column, of C is 0 and should not be. */
static bool line_is_zero(const struct evidence *e, bool is_row, long at)
{
    bool wrong = false;
    for (long other = 0; other < (is_row ? e->r->n : e->r->m); other++) {
        long i = is_row ? at : other, j = is_row ? other : at;
        if (matrix_get(e->c, i, j) != 0)
            return false;
        wrong = wrong || is_wrong(e, i, j);
    }
    return wrong;
}

/* Says which rows or columns of C are 0, if they lie side by side. */
static void say_zeros(const struct evidence *e, struct out *out)
{
    for (int is_row = 0; is_row < 2; is_row++) {
        long first = -1, last = -1, count = 0, all = is_row ? e->r->m : e->r->n;
        for (long at = 0; at < all; at++)
            if (line_is_zero(e, is_row, at)) {
                first = first < 0 ? at : first, last = at;
                count++;
            }
        if (4 * count >= all && count == last - first + 1) /* fewer may be so by chance */
            say(out, " %s %ld to %ld of C are 0.", is_row ? "Rows" : "Columns", first, last);
    }
}

static void explain_values(const struct evidence *e, struct out *out)
{
    struct fitting f = {0};
    struct hypothesis h = {.plain = nothing};
    if ((double)e->r->m * (double)e->r->n * (double)e->r->k > most_work)
        return;
    if (fits(e, &h)) { /* whatever the reason is */
        say(out, " The wrong elements are 0.");
        return;
    }
    if (e->wrong - e->unwritten < FEWEST)
        return;
    for (size_t i = 0; i < sizeof hypotheses / sizeof *hypotheses; i++) {
        h.plain = hypotheses[i].value;
        if (fits(e, &h))
            add_fitting(&f, "%s", hypotheses[i].sentence);
    }
    try_tiles(e, &f);
    try_lds(e, &f);
    try_shifts(e, &f);
    try_strips(e, &f);
    try_partial_sums(e, &f);
    try_quadrants(e, &f);
    try_levels(e, &f, false);
    if (!f.count)
        try_levels(e, &f, true);
    if (f.count == 1)
        say(out, " %s", f.sentence);
    else if (!f.count)
        say_zeros(e, out);
}

static bool is_zero(const struct matrix *c)
{
    for (long i = 0; i < c->rows; i++)
        for (long j = 0; j < c->cols; j++)
            if (matrix_get(c, i, j) != 0)
                return false;
    return true;
}

static void explain(char *text, size_t size, const struct matrix *c, const struct matrix *a,
                    const struct matrix *b, const struct reference *r,
                    const struct tolerance *t)
{
    struct evidence evidence = {.c = c,
                                .a = a,
                                .b = b,
                                .r = r,
                                .t = t,
                                .m = t->m ? t->m : r->m,
                                .n = t->n ? t->n : r->n,
                                .k = t->k ? t->k : r->k},
                    *e = &evidence;
    struct out out = {text, size};
    collect(e);
    if (e->unwritten == c->rows * c->cols) {
        say(&out, " No element of C was ever written, or all became NaN.");
        return;
    }
    if (e->unwritten)
        say(&out, " %ld %s never written, or became NaN: rows %ld to %ld, columns %ld to %ld.",
            e->unwritten, e->unwritten == 1 ? "element was" : "elements were", e->first_row,
            e->last_row, e->first_col, e->last_col);
    if (t->levels > 0)
        say_quadrants(e, &out);
    if (t->exact && e->count)
        explain_values(e, &out);
    else if (!t->exact && is_zero(c))
        say(&out, " All elements of C are 0.");
}

const struct explainer explainer_of_mistakes = {explain};
