/* SPDX-License-Identifier: MIT */
#include "common/check/verify.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/matrix/random.h"
#include "common/scheme.h"

enum { TILE = 16 }; /* failures are located by tiles of this size, a common thread block */

enum { STRIP_ROWS = 8, TERMS = 4 };

/* Rows of the product in long double, which is more accurate than double. A sum is loaded and
   stored once for several terms, and a row of B is converted once for all rows of the strip. */
static void product_rows(const struct matrix *a, const struct matrix *b, bool b_is_finite,
                         long first, long end, long double *sums, double *b_rows, double *out)
{
    const long cols = b->cols, count = (end - first) * cols;
    for (long i = 0; i < count; i++)
        sums[i] = 0;
    for (long l = 0; l < a->cols; l += TERMS) {
        bool converted = false;
        for (long i = first; i < end; i++) {
            long double x[TERMS], *row = sums + (i - first) * cols;
            bool needed = !b_is_finite;
            for (long t = 0; t < TERMS; t++) {
                x[t] = l + t < a->cols ? matrix_get(a, i, l + t) : 0;
                needed = needed || x[t] != 0;
            }
            if (!needed)
                continue;
            for (long t = 0; t < TERMS && !converted; t++)
                for (long j = 0; j < cols; j++)
                    b_rows[t * cols + j] = l + t < a->cols ? matrix_get(b, l + t, j) : 0;
            converted = true;
            for (long j = 0; j < cols; j++) {
                long double sum = row[j];
                for (long t = 0; t < TERMS; t++)
                    sum += x[t] * b_rows[t * cols + j];
                row[j] = sum;
            }
        }
    }
    for (long i = 0; i < count; i++)
        out[i] = (double)sums[i];
}

/* Where long double has more than 64 bits, on AArch64 and in WebAssembly, a library computes
   it, much slower than double. */
static const bool in_a_library = LDBL_MANT_DIG > 64;

/* Row i of the product for finite elements of single precision, which multiply exactly in
   double. The round-off error of each sum is computed exactly (Knuth's two-sum) and added up in
   `lost`. */
static void product_row_f32(const struct matrix *a, const struct matrix *b, long i,
                            double *lost, double *out)
{
    for (long j = 0; j < b->cols; j++)
        lost[j] = out[j] = 0;
    for (long l = 0; l < a->cols; l++) {
        double x = matrix_get(a, i, l);
        for (long j = 0; j < b->cols; j++) {
            double product = x * matrix_get(b, l, j), sum = out[j] + product;
            double before = sum - product, added = sum - before;
            lost[j] += (out[j] - before) + (product - added);
            out[j] = sum;
        }
    }
    for (long j = 0; j < b->cols; j++)
        out[j] += lost[j];
}

/* The number of nonzero elements, and whether all are finite. */
struct census {
    double nonzeros;
    bool finite;
};

static struct census census_of(const struct matrix *x)
{
    double nonzeros = 0;
    long infinite = 0;
#pragma omp parallel for reduction(+ : nonzeros, infinite)
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++) {
            nonzeros += matrix_get(x, i, j) != 0;
            infinite += !isfinite(matrix_get(x, i, j));
        }
    return (struct census){nonzeros, infinite == 0};
}

static bool product_on_host(const struct matrix *a, const struct matrix *b, double *product)
{
    bool enough = true, finite = census_of(b).finite;
    bool exact_products = finite && a->precision == PRECISION_F32 &&
                          b->precision == PRECISION_F32 && census_of(a).finite;
#pragma omp parallel
    {
        long double *sums = malloc((size_t)b->cols * STRIP_ROWS * sizeof *sums);
        double *b_rows = malloc((size_t)b->cols * TERMS * sizeof *b_rows);
        if (!sums || !b_rows) {
#pragma omp atomic write
            enough = false;
        }
#pragma omp for schedule(dynamic)
        for (long first = 0; first < a->rows; first += STRIP_ROWS) {
            long end = first + STRIP_ROWS < a->rows ? first + STRIP_ROWS : a->rows;
            if (!sums || !b_rows)
                continue;
            if (!(in_a_library && exact_products))
                product_rows(a, b, finite, first, end, sums, b_rows, product + first * b->cols);
            else
                for (long i = first; i < end; i++)
                    product_row_f32(a, b, i, b_rows, product + i * b->cols);
        }
        free(sums);
        free(b_rows);
    }
    return enough;
}

/* A copy of `from` in double, on the host and on the device. */
static bool copy_as_f64(struct matrix *copy, const struct matrix *from)
{
    if (!matrix_create(copy, PRECISION_F64, from->rows, from->cols, from->cols))
        return false;
#pragma omp parallel for
    for (long i = 0; i < from->rows; i++)
        for (long j = 0; j < from->cols; j++)
            matrix_set(copy, i, j, matrix_get(from, i, j));
    matrix_upload(copy);
    return true;
}

/* The product in double, for which the GPU makes the copies of A and B. Both are uploaded
   first, because a variant may have changed them on the device. */
static bool product_on_device(const struct matrix *a, const struct matrix *b, double *product)
{
    struct product p = {.a = {a->device, a->rows, a->cols, a->ld},
                        .b = {b->device, b->rows, b->cols, b->ld},
                        .c = {NULL, a->rows, b->cols, b->cols}};
    matrix_upload(a);
    matrix_upload(b);
    return backend.product_in_double(a->precision, p, product);
}

static bool product_by_vendor(const struct matrix *a, const struct matrix *b, double *product)
{
    if (backend.product_in_double)
        return product_on_device(a, b, product);
    struct matrix a64 = {0}, b64 = {0}, c64 = {0};
    bool enough = copy_as_f64(&a64, a) && copy_as_f64(&b64, b) &&
                  matrix_create(&c64, PRECISION_F64, a->rows, b->cols, b->cols);
    if (enough) {
        struct product p = {.a = {a64.device, a->rows, a->cols, a64.ld},
                            .b = {b64.device, b->rows, b->cols, b64.ld},
                            .c = {c64.device, a->rows, b->cols, c64.ld}};
        backend.vendor_multiply(PRECISION_F64, p);
        matrix_download(&c64);
        memcpy(product, c64.host, (size_t)a->rows * (size_t)b->cols * sizeof *product);
    }
    matrix_destroy(&a64);
    matrix_destroy(&b64);
    matrix_destroy(&c64);
    return enough;
}

static void norms(struct reference *r, const struct matrix *a, const struct matrix *b)
{
    enum { STRIP = 64 }; /* columns that a thread sums at a time */
    double max_a = 0, max_b = 0;
#pragma omp parallel for reduction(max : max_a)
    for (long i = 0; i < a->rows; i++) {
        double sum = 0;
        for (long j = 0; j < a->cols; j++) {
            double x = matrix_get(a, i, j);
            sum += x * x;
            max_a = isfinite(x) ? fmax(max_a, fabs(x)) : max_a;
        }
        r->row_norms[i] = sqrt(sum);
    }
#pragma omp parallel for reduction(max : max_b)
    for (long first = 0; first < b->cols; first += STRIP) {
        long end = first + STRIP < b->cols ? first + STRIP : b->cols;
        for (long i = 0; i < b->rows; i++)
            for (long j = first; j < end; j++) {
                double x = matrix_get(b, i, j);
                r->col_norms[j] += x * x;
                max_b = isfinite(x) ? fmax(max_b, fabs(x)) : max_b;
            }
        for (long j = first; j < end; j++)
            r->col_norms[j] = sqrt(r->col_norms[j]);
    }
    r->finite = census_of(a).finite && census_of(b).finite;
    r->max_a = max_a;
    r->max_b = max_b;
}

bool reference_create(struct reference *r, const struct matrix *a, const struct matrix *b)
{
    *r = (struct reference){.m = a->rows, .n = b->cols, .k = a->cols};
    r->product = malloc((size_t)r->m * (size_t)r->n * sizeof *r->product);
    r->row_norms = calloc((size_t)r->m, sizeof *r->row_norms);
    r->col_norms = calloc((size_t)r->n, sizeof *r->col_norms);
    if (!r->product || !r->row_norms || !r->col_norms) {
        reference_destroy(r);
        return false;
    }
    bool small = census_of(a).nonzeros * (double)r->n <= 0x1p27;
    bool done = !small && backend.vendor(1) && product_by_vendor(a, b, r->product);
    r->roundoff = done ? 0x1p-53 : 0x1p-64;
    if (!done && !product_on_host(a, b, r->product)) {
        reference_destroy(r);
        return false;
    }
    norms(r, a, b);
    r->hash_a = matrix_hash(a);
    r->hash_b = matrix_hash(b);
    return true;
}

void reference_destroy(struct reference *r)
{
    free(r->product);
    free(r->row_norms);
    free(r->col_norms);
    *r = (struct reference){0};
}

static double gamma_of(long k, double u) { return (double)k * u / (1 - (double)k * u); }

double bound_factor(const struct scheme *scheme, int levels, long k)
{
    double leaves = (double)scheme_blocks(scheme, levels);
    double k0 = ceil((double)k / leaves) + levels;
    double growth = scheme_growth(scheme), linear = scheme_linear_growth(scheme);
    return pow(growth, levels) * (k0 * k0 + linear * k0) - linear * leaves * k0;
}

/* The limit at (i, j) is constant + per_norms * |row i of A| * |column j of B|. */
struct limits {
    double constant, per_norms;
    double largest;      /* the largest number of the precision */
    bool mixes_infinite; /* levels carry NaN, Inf or an overflow anywhere */
};

static double largest_number(enum precision precision)
{
    return precision == PRECISION_F32   ? FLT_MAX
           : precision == PRECISION_F64 ? DBL_MAX
                                        : INT_MAX;
}

/* The smallest distance between two numbers of this precision. */
static double least_number(enum precision precision)
{
    return precision == PRECISION_F32 ? 0x1p-149 : precision == PRECISION_F64 ? 0x1p-1074 : 0;
}

static struct limits limits_of(const struct reference *r, const struct tolerance *t,
                               enum precision precision)
{
    long terms = t->terms ? t->terms : r->k;
    double u = precision_roundoff(precision), largest = largest_number(precision);
    const struct scheme *scheme = t->bound.scheme;
    double spread = scheme && (scheme->basis || scheme->k > 2) ? scheme_growth(scheme) : 4;
    double below = 2 * (double)(terms + 1) * pow(spread, t->levels) * least_number(precision);
    double factors = scheme ? fmax(9, scheme_largest_factor(scheme)) : 9;
    if (t->exact)
        return (struct limits){.largest = largest};
    int mixing = scheme ? t->levels : 0;
    struct limits limits = {
        .constant =
            ldexp((double)terms * t->bound.split, 3 * t->levels) * r->max_a * r->max_b + below,
        .per_norms = gamma_of(terms + 1, r->roundoff),
        .largest = largest,
        .mixes_infinite = mixing > 0 && !(r->finite && pow(factors, t->levels) * (double)r->k *
                                                               r->max_a * r->max_b <
                                                           largest)};
    if (mixing == 0) {
        limits.per_norms += gamma_of(terms + 1, u);
        return limits;
    }
    limits.constant += bound_factor(scheme, t->levels, terms) * u * r->max_a * r->max_b;
    return limits;
}

/* The limit for the root mean square of the errors after L levels if the operands are uniform
   in [-1, 1]: 2 u k/3 times 3^L for Strassen's method, 4.5^L for Winograd's, 3.25^L for the one
   of Dumas, Pernet and Sedoglavic. It is far below the bound, which holds for the worst
   operands. Rounding k sums of random signs gives u k/3 times 1/sqrt(6) if sums are rounded
   equally often up and down, and per level the errors grow more slowly than the theorems'
   bounds, which grow by 12/4 and 18/4. u is the precision's and the reference's; the declared
   rounding of the factors is added. */
static double average_limit(const struct tolerance *t, const struct reference *r,
                            enum precision precision)
{
    const struct scheme *scheme = t->bound.scheme;
    double growth = scheme ? scheme_growth(scheme) / (scheme->k * scheme->k) : 1;
    double u = precision_roundoff(precision) + r->roundoff;
    return 2 * u * (double)r->k / 3 * pow(growth, t->levels) +
           ldexp((double)r->k * t->bound.split, 3 * t->levels);
}

bool reference_is_zero(const struct reference *r)
{
    for (long i = 0; i < r->m * r->n; i++)
        if (r->product[i] != 0)
            return false;
    return true;
}

bool tolerance_says_something(const struct reference *r, const struct tolerance *t,
                              enum precision precision)
{
    struct limits limits = limits_of(r, t, precision);
    if (t->exact)
        return true;
    for (long i = 0; i < r->m; i++)
        for (long j = 0; j < r->n; j++)
            if (fabs(r->product[i * r->n + j]) >
                limits.constant + limits.per_norms * r->row_norms[i] * r->col_norms[j])
                return true;
    return false;
}

static void say_wrong_element(struct verdict *v, const struct matrix *c, long i, long j,
                              const struct tolerance *t, double expected, double limit,
                              long wrong)
{
    const char *vertical = i < ((t->m ? t->m : c->rows) + 1) / 2 ? "1" : "2";
    const char *horizontal = j < ((t->n ? t->n : c->cols) + 1) / 2 ? "1" : "2";
    snprintf(
        v->reason, sizeof v->reason,
        "%ld of %ld elements wrong; first C[%ld][%ld] (quadrant C%s%s, %dx%d tile %ld,%ld): "
        "expected %.9g, got %.9g, allowed error %.3g",
        wrong, c->rows * c->cols, i, j, vertical, horizontal, TILE, TILE, i / TILE, j / TILE,
        expected, matrix_get(c, i, j), limit);
}

/* The result of comparing one or more rows. */
struct found {
    long wrong, unjudged;
    long i, j;             /* the first wrong element */
    double limit;          /* of the error there */
    double max_error, sum; /* of the reported errors */
    double squares;        /* sum of all errors' squares */
    double magnitude;      /* sum of the expected elements' absolute values */
    double closest, bound; /* largest error / limit, and that limit */
};

static void merge(struct found *all, const struct found *row)
{
    if (row->wrong && (!all->wrong || row->i < all->i)) {
        all->i = row->i;
        all->j = row->j;
        all->limit = row->limit;
    }
    all->wrong += row->wrong;
    all->unjudged += row->unjudged;
    all->max_error = isnan(row->max_error) || isnan(all->max_error)
                         ? NAN
                         : fmax(all->max_error, row->max_error);
    all->sum += row->sum;
    all->squares += row->squares;
    all->magnitude += row->magnitude;
    if (row->closest > all->closest) {
        all->closest = row->closest;
        all->bound = row->bound;
    }
}

/* Whether NaN or Inf may be right at an element, or cannot be judged: the operands contain
   them, or a sum may overflow. `norms` is |row i of A| |column j of B|. */
static bool may_overflow(const struct limits *limits, double norms)
{
    return limits->mixes_infinite || !(norms < limits->largest);
}

static struct found compare_row(const struct matrix *c, const struct reference *r,
                                const struct tolerance *t, const struct limits *limits, long i)
{
    struct found row = {.closest = -1};
    for (long j = 0; j < c->cols; j++) {
        double expected = r->product[i * r->n + j], got = matrix_get(c, i, j);
        double norms = r->row_norms[i] * r->col_norms[j];
        double error = fabs(got - expected);
        double limit = limits->constant + limits->per_norms * norms;
        if (!isfinite(expected) || !isfinite(limit) ||
            (!isfinite(got) && may_overflow(limits, norms))) {
            bool wrong = !isfinite(expected) && isfinite(got);
            struct found one = {
                .wrong = wrong, .unjudged = !wrong, .i = i, .j = j, .closest = -1};
            merge(&row, &one);
            continue;
        }
        double reported = t->against_identity ? fabs(got - (i == j)) : error;
        double share = limit > 0 ? error / limit : error > 0 ? INFINITY : 0;
        struct found one = {.wrong = !(error <= limit),
                            .i = i,
                            .j = j,
                            .limit = limit,
                            .max_error = reported,
                            .sum = reported,
                            .squares = error * error,
                            .magnitude = fabs(expected),
                            .closest = share,
                            .bound = limit};
        merge(&row, &one);
    }
    return row;
}

/* Compares every element; stores the errors and the first wrong element. */
static void compare(struct verdict *v, const struct matrix *c, const struct reference *r,
                    const struct tolerance *t)
{
    struct limits limits = limits_of(r, t, c->precision);
    struct found all = {.closest = -1};
#pragma omp parallel for
    for (long i = 0; i < c->rows; i++) {
        struct found row = compare_row(c, r, t, &limits, i);
#pragma omp critical
        merge(&all, &row);
    }
    v->bound = all.bound;
    v->max_error = all.max_error;
    v->unjudged = all.unjudged;
    if (all.unjudged == c->rows * c->cols)
        snprintf(v->reason, sizeof v->reason,
                 "none of the %ld elements can be judged: all may overflow %s, or depend on "
                 "NaN or Inf",
                 all.unjudged, precision_names[c->precision]);
    v->mean_error = all.sum / ((double)c->rows * (double)c->cols);
    v->root_mean_square = sqrt(all.squares / ((double)c->rows * (double)c->cols));
    v->mean_magnitude = all.magnitude / ((double)c->rows * (double)c->cols);
    if (all.wrong)
        say_wrong_element(v, c, all.i, all.j, t, r->product[all.i * r->n + all.j], all.limit,
                          all.wrong);
}

/* The mean of |C - I| as Li et al. (2011) must have taken it: one running sum in single
   precision. When the sum is much larger than its terms, each addition loses part of a term. */
static double mean_in_single_precision(const struct matrix *c)
{
    float sum = 0;
    for (long i = 0; i < c->rows; i++)
        for (long j = 0; j < c->cols; j++)
            sum += (float)fabs(matrix_get(c, i, j) - (i == j));
    return (double)(sum / ((float)c->rows * (float)c->cols));
}

static long count_unwritten(const struct matrix *c)
{
    long count = 0;
    for (long i = 0; i < c->rows; i++)
        for (long j = 0; j < c->cols; j++)
            count += isnan(matrix_get(c, i, j)) != 0;
    return count;
}

/* Adds a guard cell's message to the reason. */
static void add_outside(struct verdict *v, const char *where)
{
    size_t end = strlen(v->reason);
    const char *blank = v->reason[end - 1] == '.' ? " " : ". ";
    snprintf(v->reason + end, sizeof v->reason - end, "%s", blank);
    end = strlen(v->reason);
    snprintf(v->reason + end, sizeof v->reason - end,
             "C was also written outside its elements: %s.", where);
}

struct verdict verify(const struct matrix *c, const struct matrix *a, const struct matrix *b,
                      const struct reference *r, const struct tolerance *t,
                      const struct explainer *explainer)
{
    struct verdict v = {0};
    const char *where = matrix_written_outside(c);
    compare(&v, c, r, t);
    v.mean_error_f32 = t->against_identity ? mean_in_single_precision(c) : NAN;
    if (*v.reason) {
        size_t end = strlen(v.reason);
        v.unwritten = count_unwritten(c);
        if (explainer)
            explainer->explain(v.reason + end + 1, sizeof v.reason - end - 1, c, a, b, r, t);
        v.reason[end] = v.reason[end + 1] ? '.' : '\0';
        if (where)
            add_outside(&v, where);
    }
    double average = average_limit(t, r, c->precision);
    if (!*v.reason && t->random && !(v.root_mean_square <= average))
        snprintf(v.reason, sizeof v.reason,
                 "every element is within the bound, but the errors are too large on average: "
                 "their root mean square is %.3g, the limit for random operands is %.3g. "
                 "Something is rounded to fewer bits than %s has",
                 v.root_mean_square, average, precision_names[c->precision]);
    if (!*v.reason && where)
        snprintf(v.reason, sizeof v.reason, "C was written outside its elements: %s", where);
    bool a_changed = matrix_hash(a) != r->hash_a;
    if (!*v.reason && (a_changed || matrix_hash(b) != r->hash_b))
        snprintf(v.reason, sizeof v.reason,
                 "%c was changed: a product must not write to its inputs",
                 a_changed ? 'A' : 'B');
    v.passed = !*v.reason;
    return v;
}

/* ---- Without a reference ---- */

/* The type for sums with random signs; where long double is longer, it is slow. */
#if LDBL_MANT_DIG == 64
typedef long double wide;
static const double wide_roundoff = 0x1p-64;
#else
typedef double wide;
static const double wide_roundoff = 0x1p-53;
#endif

/* A matrix times two vectors, and the size of its elements. */
struct by_vectors {
    wide (*product)[2]; /* one pair for each row */
    double *squares;    /* the sum of each row's squares */
    double all;         /* the sum of all squares */
    double largest;     /* the largest absolute value */
};

static void forget(struct by_vectors *x)
{
    free(x->product);
    free(x->squares);
}

/* Multiplies one row by the vectors. */
static void row_by_vectors(const double *row, long n, wide (*vectors)[2], wide sums[2],
                           double *squares, double *largest)
{
    sums[0] = sums[1] = 0;
    for (long j = 0; j < n; j++) {
        sums[0] += row[j] * vectors[j][0];
        sums[1] += row[j] * vectors[j][1];
        *squares += row[j] * row[j];
        *largest = fmax(*largest, fabs(row[j]));
    }
}

/* Returns false without memory. Uses one thread on the CPU backend, where threads that wait for
   work would disturb the next timed run. */
static bool by_vectors(struct by_vectors *out, const struct matrix *x, wide (*vectors)[2])
{
    double all = 0, largest = 0;
    bool enough = true;
    *out = (struct by_vectors){.product = calloc((size_t)x->rows, sizeof *out->product),
                               .squares = calloc((size_t)x->rows, sizeof *out->squares)};
    if (!out->product || !out->squares)
        return false;
#pragma omp parallel reduction(+ : all) reduction(max : largest) reduction(&& : enough) if (   \
    !backend.shares_host_memory)
    {
        double *row = malloc((size_t)x->cols * sizeof *row);
        enough = row != NULL;
#pragma omp for
        for (long i = 0; i < x->rows; i++) {
            if (!row)
                continue;
            matrix_get_row(x, i, row);
            row_by_vectors(row, x->cols, vectors, out->product[i], &out->squares[i], &largest);
            all += out->squares[i];
        }
        free(row);
    }
    out->all = all;
    out->largest = largest;
    return enough;
}

/* Two vectors of random signs, or NULL without memory. */
static wide (*random_signs(long n, uint64_t secret))[2]
{
    wide(*signs)[2] = malloc((size_t)n * sizeof *signs);
    for (long j = 0; signs && j < n; j++) {
        uint64_t bits = random_bits(secret + RANDOM_STEP * (uint64_t)j);
        signs[j][0] = bits & 1 ? 1 : -1;
        signs[j][1] = bits & 2 ? 1 : -1;
    }
    return signs;
}

/* Compares C times the signs with A times (B times the signs); see verify.h for the bounds. */
static enum signs_verdict judge_by_signs(const struct by_vectors *c, const struct by_vectors *a,
                                         const struct by_vectors *b, long m, long n, long k,
                                         const struct tolerance *t, enum precision precision)
{
    const double beyond = 8; /* Hoeffding: 2 exp(-8^2 / 2) is 3e-14 */
    struct reference r = {m,
                          n,
                          k,
                          .roundoff = wide_roundoff,
                          .max_a = a->largest,
                          .max_b = b->largest,
                          .finite = true};
    struct limits limits = limits_of(&r, t, precision);
    double norm_b = sqrt(b->all), root_n = sqrt((double)n), squares = 0;
    double own_roundoff =
        t->exact ? 0 : gamma_of(2 * n + k + 4, wide_roundoff) * root_n * norm_b;
    double norm_a = 0;
    bool right = true;
    if (!isfinite(a->all) || !isfinite(b->all) || limits.mixes_infinite)
        return SIGNS_SILENT;
    for (long i = 0; i < m; i++) {
        double norm = sqrt(a->squares[i]);
        double limit = beyond * (root_n * limits.constant + limits.per_norms * norm * norm_b) +
                       own_roundoff * norm;
        if (!(norm * norm_b < limits.largest))
            return SIGNS_SILENT;
        for (int v = 0; v < 2; v++) {
            double error = fabs((double)((c ? c->product[i][v] : 0) - a->product[i][v]));
            right = right && error <= limit;
            squares += error * error;
        }
        norm_a = fmax(norm_a, norm);
    }
    double average = sqrt(squares / (2 * (double)m * (double)n));
    if (t->random)
        right = right &&
                average <= average_limit(t, &r, precision) + own_roundoff * norm_a / root_n;
    return right ? SIGNS_RIGHT : SIGNS_WRONG;
}

enum signs_verdict verify_by_signs(const struct matrix *c, const struct matrix *a,
                                   const struct matrix *b, const struct tolerance *t,
                                   uint64_t secret)
{
    struct by_vectors by_c = {0}, by_b = {0}, by_a = {0};
    enum signs_verdict verdict = SIGNS_SILENT;
    wide(*signs)[2] = random_signs(b->cols, secret);
    if (signs && (!c || by_vectors(&by_c, c, signs)) && by_vectors(&by_b, b, signs) &&
        by_vectors(&by_a, a, by_b.product))
        verdict = judge_by_signs(c ? &by_c : NULL, &by_a, &by_b, a->rows, b->cols, a->cols, t,
                                 a->precision);
    forget(&by_c);
    forget(&by_b);
    forget(&by_a);
    free(signs);
    return verdict;
}
