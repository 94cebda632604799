/* SPDX-License-Identifier: MIT */
#include "explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schemes.h"

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
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++) {
            bool unwritten = isnan(matrix_get(e->c, i, j));
            e->unwritten += unwritten;
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

/* ---- formulas ---- */

/* Which index is used where `at` belongs; `across` is the element's other index. */
enum index {
    SAME,
    ACROSS,     /* the other index */
    SHIFTED,    /* by `by` */
    FIRST_TILE, /* the same place in the first tile of `by` */
    OTHER_STRIP /* the same place in the other strip of a pair of strips of `by` */
};

/* What C would be: `times` what another element should be, or the sum of other terms. */
struct formula {
    enum index c[2];       /* row and column of the other element */
    double times;          /* 0: a sum */
    enum index a[2], b[2]; /* rows and columns of the terms' factors */
    bool exchanged;        /* B A */
    bool whole_tiles;      /* the last tile along k is summed whole */
    long by;
    long ld[2], own[2]; /* leading dimensions of A and B: as read, and as stored; 0: right */
    double outside;     /* what is outside of a matrix: 0, or NAN */
};

static long moved(enum index index, long at, long across, long by)
{
    switch (index) {
    case SAME:
        return at;
    case ACROSS:
        return across;
    case SHIFTED:
        return at + by;
    case FIRST_TILE:
        return at % by;
    case OTHER_STRIP:
        return at ^ by;
    }
    abort(); /* no other index */
}

/* The element that these indices choose. With `ld`, the element that is read if rows are taken
   to be `ld` apart: NAN in a gap between rows, or past the end, and 0 in padding. */
static double element(const struct matrix *x, const enum index index[2],
                      const struct formula *f, long row, long column, int of_b)
{
    long i = moved(index[0], row, column, f->by), j = moved(index[1], column, row, f->by),
         ld = f->ld[of_b], own = f->own[of_b];
    double outside = ld && (!own || own == x->ld) ? NAN : f->outside;
    if (ld)
        own = own ? own : x->ld, i = (row * ld + column) / own, j = (row * ld + column) % own;
    return i < x->rows && j < x->cols ? matrix_get(x, i, j) : outside;
}

static double value(const struct evidence *e, const struct formula *f, long i, long j)
{
    double sum = 0;
    if (f->times) {
        long row = moved(f->c[0], i, j, f->by), column = moved(f->c[1], j, i, f->by);
        bool inside = row >= 0 && column >= 0 && row < e->r->m && column < e->r->n;
        return inside ? f->times * expected(e, row, column) : f->outside;
    }
    for (long l = 0; l < e->r->k || (f->whole_tiles && l % f->by); l++)
        sum += element(f->exchanged ? e->b : e->a, f->a, f, i, l, 0) *
               element(f->exchanged ? e->a : e->b, f->b, f, l, j, 1);
    return sum;
}

/* Whether all elements of C are as the formula says, or all wrong ones; tries some of the wrong
   ones from everywhere first. */
static bool fits_all(const struct evidence *e, struct formula f, bool also_right)
{
    for (int s = 0; s < e->count; s++)
        if (value(e, &f, e->rows[s], e->cols[s]) != matrix_get(e->c, e->rows[s], e->cols[s]))
            return false;
    for (long i = 0; i < e->c->rows && (also_right || e->wrong > e->count); i++)
        for (long j = 0; j < e->c->cols; j++)
            if ((also_right || (is_wrong(e, i, j) && !isnan(matrix_get(e->c, i, j)))) &&
                value(e, &f, i, j) != matrix_get(e->c, i, j))
                return false;
    return e->count > 0;
}

static bool fits(const struct evidence *e, struct formula f) { return fits_all(e, f, false); }

static const struct {
    struct formula formula;
    const char *sentence;
} formulas[] = {
    {{.times = -1}, "The wrong elements have the opposite sign."},
    {{.times = 2}, "The wrong elements are twice as large as they should be."},
    {{{ACROSS, ACROSS}, 1, .outside = NAN},
     "C[i][j] holds what C[j][i] should: rows and columns of C are exchanged."},
    {{.a = {ACROSS, ACROSS}},
     "It is the product of A transposed and B: A[l][i] was read for A[i][l]."},
    {{.b = {ACROSS, ACROSS}},
     "It is the product of A and B transposed: B[j][l] was read for B[l][j]."},
    {{.a = {ACROSS, ACROSS}, .b = {ACROSS, ACROSS}},
     "A and B were both read with their indices exchanged."},
    {{.exchanged = true}, "It is B A in place of A B."},
    {{{SHIFTED, SAME}, 1, .by = 1, .outside = NAN},
     "C[i][j] holds what C[i + 1][j] should: the rows are shifted by one."},
    {{{SAME, SHIFTED}, 1, .by = 1, .outside = NAN},
     "C[i][j] holds what C[i][j + 1] should: the columns are shifted by one."},
    {{{ACROSS, SAME}, 1, .outside = NAN},
     "C[i][j] holds what C[j][j] should: A was read in row j for row i."},
    {{{SAME, ACROSS}, 1, .outside = NAN},
     "C[i][j] holds what C[i][i] should: B was read in column i for column j."},
    {{{SHIFTED, SAME}, 1, .by = -1, .outside = NAN},
     "C[i][j] holds what C[i - 1][j] should: the rows are shifted by one."},
    {{{SAME, SHIFTED}, 1, .by = -1, .outside = NAN},
     "C[i][j] holds what C[i][j - 1] should: the columns are shifted by one."},
};

static void try_formulas(const struct evidence *e, struct findings *found)
{
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        struct formula f = formulas[i].formula;
        bool square_a = f.a[0] == ACROSS || f.exchanged,
             square_b = f.b[0] == ACROSS || f.exchanged;
        if ((!square_a || e->r->m == e->r->k) && (!square_b || e->r->n == e->r->k))
            suggest(found, fits(e, f), "%s", formulas[i].sentence);
    }
}

/* ---- tiles ---- */

enum { TILES = 4 };
static const int tiles[TILES] = {8, 16, 32, 64};

static void try_strips(const struct evidence *e, struct findings *found)
{
    for (int which = 0; which < 2 && e->t->levels == 0; which++) /* else try_quadrants() */
        for (int side = 1; side <= 64 && side < (which ? e->r->n : e->r->m); side *= 2) {
            struct formula f = {.times = 1, .by = side};
            const char *name = which ? "columns" : "rows";
            f.c[which] = OTHER_STRIP;
            bool fitting = fits_all(e, f, true);
            suggest(found, fitting && side == 1, "In every pair of %s the two are exchanged.",
                    name);
            suggest(found, fitting && side > 1,
                    "In every %d %s the first %d and the last %d are exchanged.", 2 * side,
                    name, side, side);
        }
}

/* The first tile of A, or of B, used again and again. */
static void try_still_tiles(const struct evidence *e, struct findings *found, int tile,
                            bool of_b)
{
    long across = of_b ? e->r->n : e->r->m;
    struct formula first = {.times = 1, .by = tile}, still = {.by = tile};
    first.c[of_b] = FIRST_TILE;
    suggest(found, e->t->levels == 0 && 2 * tile <= across && fits_all(e, first, true),
            "%s %d to %ld of C hold what the first %d should.", of_b ? "Columns" : "Rows", tile,
            across - 1, tile);
    *(of_b ? &still.b[0] : &still.a[1]) = FIRST_TILE;
    suggest(found, tile < e->r->k && fits(e, still),
            "The first %d %s of %c were used again and again: the tile of %c is "
            "not moved on along k.",
            tile, of_b ? "rows" : "columns", "AB"[of_b], "AB"[of_b]);
    *(of_b ? &still.b[1] : &still.a[0]) = FIRST_TILE;
    suggest(found, tile < e->r->k && tile < across && fits(e, still),
            "The first %d x %d elements of %c were used again and again.", tile, tile,
            "AB"[of_b]);
}

/* The sum over tiles of A[row][column] B[row][column] with other indices inside the tiles: each
   is the thread's y or x, or l. */
enum { OF_Y, OF_X, OF_L, PLACES };

static double product_in_tiles(const struct evidence *e, int tile, const int place[4], long i,
                               long j)
{
    double sum = 0;
    long at[PLACES] = {i % tile, j % tile}, top = i - i % tile, left = j - j % tile;
    for (long l = 0; l < e->r->k || l % tile; l++) {
        at[OF_L] = l % tile;
        long first = l - l % tile, row = top + at[place[0]], up = first + at[place[1]],
             down = first + at[place[2]], column = left + at[place[3]];
        if (row < e->r->m && up < e->r->k && down < e->r->k && column < e->r->n)
            sum += matrix_get(e->a, row, up) * matrix_get(e->b, down, column);
    }
    return sum;
}

/* Some of these have plainer words. */
static const struct {
    int place[4];
    const char *words;
} known_places[] = {
    {{OF_X, OF_L, OF_L, OF_X}, "A is read in the row of threadIdx.x and not of threadIdx.y"},
    {{OF_Y, OF_L, OF_L, OF_Y}, "B is read in the column of threadIdx.y and not of threadIdx.x"},
    {{OF_X, OF_L, OF_L, OF_Y}, "rows and columns are exchanged inside each tile of C"},
    {{OF_L, OF_Y, OF_L, OF_X}, "A's tile is stored in one order and summed in the other"},
    {{OF_Y, OF_L, OF_X, OF_L}, "B's tile is stored in one order and summed in the other"},
    {{OF_L, OF_Y, OF_X, OF_L}, "both tiles are stored in one order and summed in the other"}};

static void try_places_in_tiles(const struct evidence *e, struct findings *found, int tile)
{
    for (int which = 0; which < PLACES * PLACES * PLACES * PLACES; which++) {
        const int place[] = {which / 27, which / 9 % 3, which / 3 % 3, which % 3};
        bool fitting = tile < e->r->m || tile < e->r->n || tile < e->r->k;
        for (int s = 0; s < e->count && fitting; s++)
            fitting = product_in_tiles(e, tile, place, e->rows[s], e->cols[s]) ==
                      matrix_get(e->c, e->rows[s], e->cols[s]);
        const char *words = NULL;
        for (size_t i = 0; i < sizeof known_places / sizeof *known_places; i++)
            if (memcmp(place, known_places[i].place, sizeof place) == 0)
                words = known_places[i].words;
        suggest(found, fitting && words, "In tiles of %d x %d, %s.", tile, tile, words);
        suggest(
            found, fitting && !words,
            "In tiles of %d x %d the products are A[%c][%c] B[%c][%c], where A[y][l] B[l][x] "
            "belong.",
            tile, tile, "yxl"[place[0]], "yxl"[place[1]], "yxl"[place[2]], "yxl"[place[3]]);
    }
}

static void try_tiles(const struct evidence *e, struct findings *found)
{
    for (int t = 0; t < TILES; t++) {
        int tile = tiles[t];
        try_still_tiles(e, found, tile, false);
        try_still_tiles(e, found, tile, true);
        for (int whole = 0; whole < 2; whole++)
            suggest(found,
                    tile < e->r->k && (!whole || e->r->k % tile) &&
                        fits(e, (struct formula){.a = {SAME, FIRST_TILE},
                                                 .b = {FIRST_TILE, SAME},
                                                 .by = tile,
                                                 .whole_tiles = whole}),
                    "The first %d columns of A and the first %d rows of B were used "
                    "again and again: neither is moved on along k.",
                    tile, tile);
        suggest(found,
                e->t->levels == 0 && tile < e->r->m &&
                    tile < e->r->n && /* else try_quadrants() */
                    fits(e, (struct formula){{OTHER_STRIP, OTHER_STRIP}, 1, .by = tile}),
                "In blocks of %d x %d, wrong elements hold what those of the "
                "diagonally opposite tile of %d x %d should.",
                2 * tile, 2 * tile, tile, tile);
        if (!found->count)
            try_places_in_tiles(e, found, tile);
    }
}

/* ---- shifts by more than one row or column ---- */

static void try_shifts(const struct evidence *e, struct findings *found)
{
    enum { MOST = 64 };
    for (int which = 0; which < 2 && e->t->levels == 0; which++) /* else try_quadrants() */
        for (long by = -MOST; by <= MOST; by++) {
            struct formula f = {.times = 1, .by = by};
            int inside = 0;
            f.c[which] = SHIFTED;
            if (labs(by) < 2 || !fits(e, f)) /* by one has another sentence */
                continue;
            for (int s = 0; s < e->count; s++)
                inside += value(e, &f, e->rows[s], e->cols[s]) != 0;
            suggest(found, 2 * inside >= e->count,
                    which ? "The wrong elements C[i][j] hold what C[i][j %c %ld] should."
                          : "The wrong elements C[i][j] hold what C[i %c %ld][j] should.",
                    by < 0 ? '-' : '+', labs(by));
        }
}

/* ---- leading dimensions ---- */

static void try_lds(const struct evidence *e, struct findings *found)
{
    static const char *const names[] = {"lda", "ldb", "ldc", "m", "n", "k"};
    bool padded = e->m != e->r->m || e->n != e->r->n || e->k != e->r->k;
    long values[] = {padded ? e->k : e->a->ld,
                     padded ? e->n : e->b->ld,
                     padded ? e->n : e->c->ld,
                     e->m,
                     e->n,
                     e->k};
    for (int of_b = 0; of_b < 2; of_b++)
        for (int v = 0; v < 6; v++) {
            long right = values[of_b];
            bool before = values[v] == right;
            struct formula f = {.times = 0};
            f.ld[of_b] = values[v], f.own[of_b] = right;
            int same = 6; /* another leading dimension with the same value */
            for (int w = 5; w >= 0; w--) {
                before = before || (w < v && values[w] == values[v]);
                same = w > v && w < 3 && values[w] == values[v] ? w : same;
            }
            suggest(found, !before && fits(e, f),
                    "The rows of %c are read as if they were %s%s%s = %ld elements apart; they "
                    "are ld%c = %ld apart.",
                    "AB"[of_b], names[v], same < 6 ? " or " : "", same < 6 ? names[same] : "",
                    values[v], "ab"[of_b], right);
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
        double one = l < k ? matrix_get(e->a, i, l) * matrix_get(e->b, l, j) : 0;
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

/* How many flags are set; *last is the last one of them. */
static int count_set(const bool *flags, long from, long to, long *last)
{
    int count = 0;
    for (long i = from; i < to; i++)
        if (flags[i])
            *last = i, count++;
    return count;
}

/* Whether a sum ends, or begins, in the middle: on a level that leaves out the product of one
   quadrant, which has a name there. */
static struct findings *where_half(const struct evidence *e, long at, struct findings *found,
                                   struct findings *halves)
{
    return e->t->levels > 0 && at == e->k / 2 ? halves : found;
}

static void try_partial_sums(const struct evidence *e, struct findings *found,
                             struct findings *halves)
{
    long k = e->r->k, at = 0;
    int before = found->count, set;
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
    set = count_set(p.prefix, 1, k, &at);
    suggest(where_half(e, at, found, halves), set,
            "The wrong elements have only the first %ld of k = %ld terms; the last %ld %s "
            "missing.",
            at, k, k - at, k - at == 1 ? "is" : "are");
    set = count_set(p.suffix, 1, k - 1, &at);
    suggest(where_half(e, at, found, halves), set,
            "The wrong elements have only the last %ld of k = %ld terms.", k - at, k);
    suggest(found, k > 2 && p.suffix[k - 1],
            "The wrong elements have only the last of k = %ld terms, as if each term replaced "
            "the sum before it (= in place of +=, or a sum that begins anew for each term).",
            k);
    set = count_set(p.more, 0, k, &at);
    suggest(found, set, "Term %ld of the k = %ld terms was added twice.", at, k);
    /* The first or the last one was reported above. */
    if (found->count + halves->count == before) {
        set = count_set(p.less, 0, k, &at);
        suggest(found, set, "Term %ld of the k = %ld terms is missing.", at, k);
    }
    set = count_set(p.minus, 0, k, &at);
    suggest(found, set, "Term %ld of the k = %ld terms has the opposite sign.", at, k);
    for (int t = 0; t < TILES && found->count + halves->count == before; t++) {
        set = count_set(p.without[t], 0, (k + tiles[t] - 1) / tiles[t], &at);
        suggest(found, set, "Terms %ld to %ld of the k = %ld terms are missing.", at * tiles[t],
                at * tiles[t] + tiles[t] - 1, k);
    }
    free(flags);
}

/* ---- sums that begin with something else than 0 ---- */

/* Whether each element is the sum of those before it in its row, or of all before it. */
static bool runs_on(const struct evidence *e, bool over_rows)
{
    double sum = 0;
    for (long i = 0; i < e->c->rows; i++)
        for (long j = 0; j < e->c->cols; j++) {
            sum = (j == 0 && !over_rows ? 0 : sum) + expected(e, i, j);
            if (matrix_get(e->c, i, j) != sum)
                return false;
        }
    return e->c->cols > 1;
}

static void try_beginnings(const struct evidence *e, struct findings *found)
{
    for (int over_rows = 0; over_rows < 2; over_rows++)
        suggest(found, runs_on(e, over_rows) && (over_rows || e->c->rows > 1),
                "C[i][j] holds the sum of all elements up to it%s: the sum is not set to 0 for "
                "each element.",
                over_rows ? ", row by row" : " in its row");
    bool whole = true;
    for (int s = 0; s < e->count && whole; s++) {
        double should = expected(e, e->rows[s], e->cols[s]),
               is = matrix_get(e->c, e->rows[s], e->cols[s]);
        whole = is == rint(is) && should != rint(should);
    }
    suggest(found, whole, "The wrong elements are whole numbers, and should not be.");
    double by = 0;
    for (int s = 0; s < e->count; s++) {
        double off =
            matrix_get(e->c, e->rows[s], e->cols[s]) - expected(e, e->rows[s], e->cols[s]);
        if (s && off != by)
            return;
        by = off;
    }
    if (!found->count)
        suggest(found, true, "Each wrong element is %g too %s.", fabs(by),
                by < 0 ? "small" : "large");
}

/* ---- quadrants ---- */

static void say_quadrants(const struct evidence *e, FILE *out)
{
    int count = 0;
    for (int q = 0; q < 4; q++)
        count += e->quadrant_wrong[q];
    if (count == 0 || count == 4)
        return;
    fprintf(out, " Wrong quadrants:");
    for (int q = 0; q < 4; q++)
        if (e->quadrant_wrong[q])
            fprintf(out, " C%s%s", quadrant_names[q], --count ? "," : ".");
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
static void try_quadrants(const struct evidence *e, struct findings *found)
{
    char sentence[256] = "";
    int length = 0;
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
        length += sprintf(sentence + length, "%sC%s holds what C%s should", length ? ", " : "",
                          quadrant_names[q], quadrant_names[from]);
    }
    suggest(found, true, "%s.", sentence);
}

static void try_levels(const struct evidence *e, struct findings *found, bool several)
{
    struct findings f = explain_levels(e, several);
    suggest(found, f.count, "%s", f.sentence);
}

/* Whether C is wrong as if one product were: in the quadrants that have it, by the same numbers
   with its signs. */
static bool is_in_product(const struct evidence *e, const struct level_scheme *s, int p)
{
    long m = e->m / 2, n = e->n / 2;
    bool any = false;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double error = 0;
            bool known = false;
            for (int q = 0; q < QUADRANTS; q++) {
                long row = q / 2 * m + i, column = q % 2 * n + j;
                if (row >= e->c->rows || column >= e->c->cols)
                    continue;
                double off = matrix_get(e->c, row, column) - expected(e, row, column);
                if (known ? off != s->c[q][p] * error : !s->c[q][p] && off != 0)
                    return false;
                if (!known && s->c[q][p])
                    known = true, error = off / s->c[q][p];
                any = any || off != 0;
            }
        }
    return any;
}

static void try_one_product(const struct evidence *e, struct findings *found)
{
    struct method method = method_of_bound(e->t->bound.scheme);
    if (e->t->levels != 1 || e->unwritten)
        return;
    for (int p = 0; p < method.products; p++)
        suggest(found, is_in_product(e, &method.scheme, p),
                "C is as it should be but for %s: another product was made in its place.",
                name_of(&method.scheme, p).text);
}

/* More would take too long. */
static const double most_work = 0x1p30;

/* Whether a whole row, or column, of C is 0 and several of its elements should not be. */
static bool line_is_zero(const struct evidence *e, bool is_row, long at)
{
    int wrong = 0;
    for (long other = 0; other < (is_row ? e->r->n : e->r->m); other++) {
        long i = is_row ? at : other, j = is_row ? other : at;
        if (matrix_get(e->c, i, j) != 0)
            return false;
        wrong += is_wrong(e, i, j);
    }
    return wrong >= FEWEST;
}

/* Says which rows or columns of C are 0, if they are adjacent. */
static void say_zeros(const struct evidence *e, FILE *out)
{
    for (int is_row = 0; is_row < 2; is_row++) {
        long first = -1, last = -1, count = 0, all = is_row ? e->r->m : e->r->n;
        for (long at = 0; at < all; at++)
            if (line_is_zero(e, is_row, at)) {
                first = first < 0 ? at : first, last = at;
                count++;
            }
        if (count && count == last - first + 1)
            fprintf(out, " %s %ld to %ld of C are 0.", is_row ? "Rows" : "Columns", first,
                    last);
    }
}

static bool is_unwritten(const void *e, long i, long j)
{
    return isnan(matrix_get(((const struct evidence *)e)->c, i, j));
}

static bool marks_wrong(const void *e, long i, long j) { return is_wrong(e, i, j); }

/* Says which rows and columns the wrong elements are in, if there are others. */
static void say_box(const struct evidence *e, FILE *out)
{
    char text[128];
    if (!e->unwritten &&
        place_of_marked(text, sizeof text, marks_wrong, e, e->c->rows, e->c->cols))
        fprintf(out, " Wrong in C: %s.", text);
}

static void explain_values(const struct evidence *e, FILE *out)
{
    struct findings found = {0}, halves = {0};
    bool zeros = e->count > 0;
    if ((double)e->r->m * (double)e->r->n * (double)e->r->k > most_work)
        return;
    for (long i = 0; i < e->c->rows && zeros; i++)
        for (long j = 0; j < e->c->cols && zeros; j++)
            zeros = !(is_wrong(e, i, j) && fabs(matrix_get(e->c, i, j)) > 0);
    if (zeros) { /* whatever the reason is */
        fprintf(out, e->unwritten ? " The wrong elements that are not NaN are 0."
                                  : " The wrong elements are 0.");
        return;
    }
    if (e->wrong - e->unwritten < FEWEST)
        return;
    try_formulas(e, &found);
    try_tiles(e, &found);
    try_lds(e, &found);
    try_shifts(e, &found);
    try_strips(e, &found);
    try_partial_sums(e, &found, &halves);
    try_quadrants(e, &found);
    try_levels(e, &found, false);
    if (!found.count)
        found = halves;
    if (!found.count)
        try_levels(e, &found, true);
    if (!found.count)
        try_one_product(e, &found);
    if (!found.count)
        try_beginnings(e, &found);
    if (found.count == 1)
        fprintf(out, " %s", found.sentence);
    else if (!found.count) {
        say_box(e, out);
        say_zeros(e, out);
    }
}

/* Whether all elements are 0, or, with `unit` 1, whole numbers. */
static bool are_whole(const struct matrix *x, int unit)
{
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            if (matrix_get(x, i, j) != unit * rint(matrix_get(x, i, j)))
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
    FILE *out = fmemopen(text, size, "w");
    collect(e);
    if (!out)
        return;
    if (e->unwritten == c->rows * c->cols) {
        fprintf(out, " No element of C was ever written, or all became NaN.");
        fclose(out);
        return;
    }
    if (e->unwritten) {
        char place[128];
        place_of_marked(place, sizeof place, is_unwritten, e, c->rows, c->cols);
        fprintf(out, " %ld %s never written, or became NaN: %s.", e->unwritten,
                e->unwritten == 1 ? "element was" : "elements were", place);
    }
    if (t->levels > 0)
        say_quadrants(e, out);
    if (t->exact && e->count)
        explain_values(e, out);
    else if (!t->exact && are_whole(c, 0))
        fprintf(out, " All elements of C are 0.");
    else if (!t->exact && !e->unwritten && are_whole(c, 1) && !are_whole(a, 1) &&
             !are_whole(b, 1))
        fprintf(out, " All elements of C are whole numbers. Those of A and B are not.");
    fclose(out);
}

const struct explainer explainer_of_mistakes = {explain};
