/* SPDX-License-Identifier: MIT */
/** @file product.h
 * A call of ladder_gemm.h and its matrices: float or double, by columns or by rows, with guards
 * around each matrix. All that a call may not read is NaN, and all that it may not write must
 * keep its bits.
 */
#ifndef TESTS_GEMM_PRODUCT_H
#define TESTS_GEMM_PRODUCT_H

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cases.h"

enum { GUARD = 8 };

/** A matrix of `lines` by `count` elements, line after line; on the host in double. */
struct guarded_matrix {
    int lines, count, ld;
    size_t elements, first; /**< elements with guards; where the matrix begins */
    double *host;
    void *device;
};

struct call_data {
    bool wide, rows; /**< double; row-major */
    int m, n, k;
    cublasOperation_t ta, tb;
    double alpha, beta;
    int extra; /**< elements that each leading dimension is larger than it must be */
    int shift; /**< elements that each pointer is off its alignment */
    struct guarded_matrix a, b, c;
};

/** A column-major call without matrices. `ops`: twice op(A), plus op(B). */
static inline struct call_data call_of(int m, int n, int k, int ops, double alpha, double beta)
{
    return (struct call_data){.m = m,
                              .n = n,
                              .k = k,
                              .ta = (cublasOperation_t)(ops / 2),
                              .tb = (cublasOperation_t)(ops % 2),
                              .alpha = alpha,
                              .beta = beta};
}

static inline size_t size_of(const struct call_data *x)
{
    return x->wide ? sizeof(double) : sizeof(float);
}

/** A copy of a matrix and its guards from the GPU, once all work there is done. */
static inline void *fetched(const struct call_data *x, const struct guarded_matrix *y)
{
    void *copy = malloc(y->elements * size_of(x));
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(copy, y->device, y->elements * size_of(x), cudaMemcpyDeviceToHost));
    return copy;
}

/** A matrix of NaN on the host: `extra` elements between its lines, `shift` before it. */
static inline struct guarded_matrix matrix_of(int lines, int count, int extra, int shift)
{
    struct guarded_matrix y = {.lines = lines, .count = count, .ld = lines + extra};
    y.ld += y.ld == 0;
    y.first = (size_t)(GUARD + shift);
    y.elements = y.first + (size_t)y.ld * count + GUARD;
    y.host = malloc(y.elements * sizeof *y.host);
    for (size_t i = 0; i < y.elements; i++)
        y.host[i] = NAN;
    return y;
}

/** The bytes of its copy on the GPU. */
static inline void *bytes_of(const struct call_data *x, const struct guarded_matrix *y)
{
    void *bytes = malloc(y->elements * size_of(x));
    for (size_t i = 0; i < y->elements; i++) {
        if (x->wide)
            ((double *)bytes)[i] = y->host[i];
        else
            ((float *)bytes)[i] = (float)y->host[i];
    }
    return bytes;
}

static inline void copy_to_device(const struct call_data *x, struct guarded_matrix *y)
{
    void *bytes = bytes_of(x, y);
    must(cudaMalloc(&y->device, y->elements * size_of(x)));
    bring(y->device, bytes, y->elements * size_of(x));
    free(bytes);
}

/** The first element, on the device. */
static inline void *start_of(const struct call_data *x, const struct guarded_matrix *y)
{
    return (char *)y->device + y->first * size_of(x);
}

static inline void destroy_matrices(struct call_data *x)
{
    cudaFree(x->a.device), cudaFree(x->b.device), cudaFree(x->c.device);
    free(x->a.host), free(x->b.host), free(x->c.host);
}

/** Whether the lines of op(X) are the columns of the stored matrix. */
static inline bool is_turned(const struct call_data *x, cublasOperation_t op)
{
    return (op != CUBLAS_OP_N) != x->rows;
}

/** Where element (i, j) is among the elements of a matrix. */
static inline size_t place_in(const struct guarded_matrix *y, bool turned, int i, int j)
{
    return y->first + (turned ? j + (size_t)i * y->ld : i + (size_t)j * y->ld);
}

static inline size_t place_in_c(const struct call_data *x, int i, int j)
{
    return place_in(&x->c, x->rows, i, j);
}

/** Element (i, l) of op(A) and element (l, j) of op(B), on the host. */
static inline double a_at(const struct call_data *x, int i, int l)
{
    return x->a.host[place_in(&x->a, is_turned(x, x->ta), i, l)];
}

static inline double b_at(const struct call_data *x, int l, int j)
{
    return x->b.host[place_in(&x->b, is_turned(x, x->tb), l, j)];
}

static inline int run(ladder_gemm_t gemm, const struct call_data *x, const void *scalars)
{
    const void *a = start_of(x, &x->a), *b = start_of(x, &x->b), *alpha = scalars,
               *beta = (const char *)scalars + size_of(x);
    void *c = start_of(x, &x->c);
    if (x->wide)
        return (x->rows ? ladder_dgemm_row_major : ladder_dgemm)(gemm, x->ta, x->tb, x->m, x->n,
                                                                 x->k, alpha, a, x->a.ld, b,
                                                                 x->b.ld, beta, c, x->c.ld);
    return (x->rows ? ladder_sgemm_row_major : ladder_sgemm)(
        gemm, x->ta, x->tb, x->m, x->n, x->k, alpha, a, x->a.ld, b, x->b.ld, beta, c, x->c.ld);
}

/** The same with alpha and beta in host memory. */
static inline int multiply(ladder_gemm_t gemm, const struct call_data *x)
{
    const double wide[] = {x->alpha, x->beta};
    const float narrow[] = {(float)x->alpha, (float)x->beta};
    return run(gemm, x, x->wide ? (const void *)wide : (const void *)narrow);
}

/** An element of op(A) or op(B): u is uniform in [-1, 1), with all bits of the precision. */
typedef double element(int line, int l, double u);

static inline double as_it_is(int line, int l, double u)
{
    (void)line, (void)l;
    return u;
}

/** -1, 0 or 1: products of such numbers are exact. */
static inline double integer(int line, int l, double u)
{
    (void)line, (void)l;
    return rint(1.5 * u);
}

/** A factor or C of numbers that do not depend on how it is stored; without `make` of NaN. Its
 * lines are rows, or with `by_columns` columns. */
static inline struct guarded_matrix filled(const struct call_data *x, cublasOperation_t op,
                                           int rows, int columns, bool by_columns,
                                           unsigned seed, element *make)
{
    bool turned = is_turned(x, op);
    struct guarded_matrix y =
        matrix_of(turned ? columns : rows, turned ? rows : columns, x->extra, x->shift);
    for (int i = 0; make && i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int line = by_columns ? j : i, l = by_columns ? i : j;
            uint64_t number = (uint64_t)seed << 32 | (uint64_t)(line * 4096 + l);
            double u = random_uniform(random_bits(number * RANDOM_STEP));
            double value = make(line, l, x->wide ? u : (double)(float)u);
            y.host[place_in(&y, turned, i, j)] = x->wide ? value : (double)(float)value;
        }
    copy_to_device(x, &y);
    return y;
}

/** Makes A, B and C of a call. */
static inline struct call_data with_matrices(struct call_data x, unsigned seed, element *left,
                                             element *right, element *old)
{
    x.a = filled(&x, x.ta, x.m, x.k, false, seed, left);
    x.b = filled(&x, x.tb, x.k, x.n, true, seed + 1, right);
    x.c = filled(&x, CUBLAS_OP_N, x.m, x.n, true, seed + 2, old);
    return x;
}

/* ---- The result ---- */

/** C's memory as a call has left it, and as it was. */
struct result {
    char *now, *before;
};

static inline struct result result_of(const struct call_data *x)
{
    return (struct result){fetched(x, &x->c), bytes_of(x, &x->c)};
}

/** The element at this place, which then counts as unchanged. */
static inline double take_element(const struct call_data *x, struct result c, size_t place)
{
    size_t size = size_of(x);
    double value = x->wide ? ((double *)c.now)[place] : (double)((float *)c.now)[place];
    memcpy(c.now + place * size, c.before + place * size, size);
    return value;
}

/** Whether bytes other than those of the elements taken have changed. Frees the result. */
static inline bool is_changed_outside(const struct call_data *x, struct result c)
{
    bool changed = memcmp(c.now, c.before, x->c.elements * size_of(x)) != 0;
    free(c.now), free(c.before);
    return changed;
}

/** Counts elements of C that differ from the product, which is exact; *outside: whether bytes
 * around them changed. */
static inline int wrong_integers(const struct call_data *x, bool *outside)
{
    struct result c = result_of(x);
    int wrong = 0;
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = place_in_c(x, i, j);
            double sum = 0, old = x->beta == 0 ? 0 : x->beta * x->c.host[place];
            for (int l = 0; l < x->k; l++)
                sum += a_at(x, i, l) * b_at(x, l, j);
            wrong += !(take_element(x, c, place) == x->alpha * sum + old);
        }
    *outside = is_changed_outside(x, c);
    return wrong;
}

static inline int wrong_elements(const struct call_data *x)
{
    bool outside;
    return wrong_integers(x, &outside) + outside;
}

/** Makes the matrices of a call, of other numbers in each, multiplies, and compares everything
 * in and around C. Without `make` A and B are NaN, and C is not compared. */
static inline void check_call(ladder_gemm_t gemm, struct call_data x, element *make,
                              const char *what)
{
    static atomic_uint made; /* matrices so far */
    bool outside;
    x = with_matrices(x, atomic_fetch_add(&made, 3) + 1, make, make,
                      x.beta == 0 ? NULL : integer);
    int status = multiply(gemm, &x);
    EXPECT(status == 0, "%s: status %d: %s", what, status, ladder_gemm_message(gemm));
    int wrong = wrong_integers(&x, &outside);
    EXPECT((wrong == 0 || !make) && !outside,
           "%s: %d x %d x %d, double %d, ops %d %d, alpha %g, beta %g, extra %d, shift %d, "
           "row-major %d, by %s with %d levels: %d elements wrong%s",
           what, x.m, x.n, x.k, x.wide, x.ta, x.tb, x.alpha, x.beta, x.extra, x.shift, x.rows,
           ladder_gemm_last(gemm).ran.variant, ladder_gemm_last(gemm).ran.levels, wrong,
           outside ? ", and written outside of C" : "");
    destroy_matrices(&x);
}

static inline void check(ladder_gemm_t gemm, struct call_data x, const char *what)
{
    check_call(gemm, x, integer, what);
}

/* ---- Products of other numbers ---- */

/* The size of a line of op(A) or op(B): its largest element and its norm. */
struct line_size {
    double most;
    long double norm;
};

static inline struct line_size *sizes_of(const struct call_data *x, bool right,
                                         double *most_of_all)
{
    int lines = right ? x->n : x->m;
    struct line_size *size = calloc((size_t)lines + 1, sizeof *size);
    *most_of_all = 0;
    for (int i = 0; i < lines; i++) {
        long double squares = 0;
        for (int l = 0; l < x->k && x->alpha != 0; l++) {
            double y = right ? b_at(x, l, i) : a_at(x, i, l);
            size[i].most = fmax(size[i].most, fabs(y));
            squares += (long double)y * y;
        }
        size[i].norm = sqrtl(squares);
        *most_of_all = fmax(*most_of_all, size[i].most);
    }
    return size;
}

/* The largest number in line i and in those that levels on tensor cores add to it, which are
 * 1/2^levels of the padded number of lines apart. Lines with numbers from `apart` on are
 * computed separately, and added to no others. */
static inline double most_of_partners(const struct line_size *size, int lines, int i,
                                      int levels)
{
    const double apart = 0x1p119;
    int multiple = 4 << levels, period = (lines + multiple - 1) / multiple * multiple >> levels;
    double most = 0;
    for (int line = i % period; line < lines; line += period)
        if (line == i || size[line].most < apart)
            most = fmax(most, isfinite(size[line].most) ? size[line].most : 0);
    return most;
}

/* The sizes that errors are compared with, and the limit. A level adds four times, and what
 * tensor cores lose of a term is lost 8 times per level. Step 23's products have the chapter's
 * bound. cuBLAS may round alpha times an element, and the accurate sums round half a subnormal
 * element, as ladder_gemm.h says. */
struct call_bound {
    bool by_partners, by_norms, alpha_first;
    double of_a_term, below_normal;
    double of_halves; /* of a subnormal element, times an element of the other factor */
};

static inline struct call_bound bound_of(const struct call_data *x, struct ladder_plan ran)
{
    double unit = x->wide ? 0x1p-53 : 0x1p-24, least = x->wide ? 0x1p-1074 : 0x1p-149;
    static const struct {
        const char *variant;
        double of_norms; /* its base 2 logarithm */
    } exact[] = {{"exact", -53.5},
                 {"more", -59.4},
                 {"fewer", -49.7},
                 {"safe", -53.5},
                 {"reproducible", -26.3}};
    for (int i = 0; i < 5; i++)
        if (strcmp(ran.variant, exact[i].variant) == 0) {
            bool sums = strcmp(ran.variant, "safe") == 0; /* of doubles */
            return (struct call_bound){.by_norms = true,
                                       .of_a_term = exp2(exact[i].of_norms) +
                                                    (sums ? sqrt(x->k) * unit : 0),
                                       .below_normal = /* 16 halves */
                                       (sums ? x->k + 8 : 8) * least};
        }
    if (strcmp(ran.variant, "fp16") == 0 || strcmp(ran.variant, "int8") == 0)
        return (struct call_bound){
            .by_partners = true,
            .of_a_term =
                ((*ran.variant == 'f' ? 0x1p-22 : 0x1p-16) + 0x1p-23) * pow(8, ran.levels),
            .below_normal = (pow(4, ran.levels) + ran.levels) * least / 2};
    return (struct call_bound){.by_partners = ran.levels == 0,
                               .alpha_first = strcmp(ran.variant, "cublas") == 0,
                               .of_a_term = 8 * unit * pow(4, ran.levels),
                               .of_halves = strcmp(ran.variant, "batched") == 0 ||
                                                    strcmp(ran.variant, "two-levels") == 0 ||
                                                    strcmp(ran.variant, "beside") == 0
                                                ? x->k * pow(16, ran.levels) * least
                                                : 0,
                               .below_normal = (x->k + 8) * pow(4, ran.levels) * least};
}

/* The error of element (i, j) when cuBLAS multiplies one factor by alpha before the
 * other: half of the smallest number for each product with alpha that is subnormal. */
static inline long double lost_by_alpha(const struct call_data *x, int i, int j)
{
    double least_normal = x->wide ? 0x1p-1022 : 0x1p-126, of_a = 0, of_b = 0;
    for (int l = 0; l < x->k && fabs(x->alpha) != 1; l++) {
        double a = fabs(a_at(x, i, l)), b = fabs(b_at(x, l, j));
        of_a += fabs(x->alpha) * a < least_normal ? b : 0;
        of_b += fabs(x->alpha) * b < least_normal ? a : 0;
    }
    return fmax(of_a, of_b) * (x->wide ? 0x1p-1075L : 0x1p-150L);
}

/* The error of the worst element in units of the limit; huge if bits changed that must stay. */
static inline double judge(const struct call_data *x, struct ladder_plan ran)
{
    struct result c = result_of(x);
    double worst = 0, most_a, most_b, unit = x->wide ? 0x1p-53 : 0x1p-24,
           least = x->wide ? 0x1p-1074 : 0x1p-149;
    struct line_size *rows = sizes_of(x, false, &most_a), *columns = sizes_of(x, true, &most_b);
    struct call_bound bound = bound_of(x, ran);
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = place_in_c(x, i, j);
            long double old =
                x->beta == 0 ? 0 : x->c.host[place]; /* beta times it is exact, too */
            long double sum = 0, value = take_element(x, c, place);
            for (int l = 0; l < x->k && x->alpha != 0; l++)
                sum += (long double)a_at(x, i, l) * b_at(x, l, j);
            long double lost =
                bound.by_norms ? sqrtl(x->k) * rows[i].norm * columns[j].norm
                : bound.by_partners
                    ? (x->k + 8) * (long double)most_of_partners(rows, x->m, i, ran.levels) *
                          most_of_partners(columns, x->n, j, ran.levels)
                    : (x->k + 8) * (long double)most_a * most_b;
            long double allowed =
                fabs(x->alpha) *
                    (bound.of_a_term * lost + bound.below_normal +
                     (bound.of_halves > 0 ? bound.of_halves * fmax(most_a, most_b) : 0)) +
                4 * unit * (fabsl(x->alpha * sum) + fabsl(x->beta * old)) + least +
                (bound.alpha_first ? lost_by_alpha(x, i, j) : 0);
            long double exact = x->alpha * sum + x->beta * old,
                        error = fabsl(value - exact) / allowed;
            if (!(fabsl(exact) <= (x->wide ? DBL_MAX : FLT_MAX))) /* as in IEEE arithmetic */
                error = isnan(exact) == isnan(value) &&
                                (isnan(exact) || value == copysignl(INFINITY, exact))
                            ? 0
                            : HUGE_VAL;
            worst = error <= worst ? worst : isnan(error) ? HUGE_VAL : (double)error;
        }
    if (is_changed_outside(x, c))
        worst = HUGE_VAL;
    const struct guarded_matrix *read_only[] = {&x->a, &x->b};
    for (int i = 0; i < 2; i++) {
        char *now = fetched(x, read_only[i]), *was = bytes_of(x, read_only[i]);
        if (memcmp(now, was, read_only[i]->elements * size_of(x)) != 0)
            worst = HUGE_VAL;
        free(now), free(was);
    }
    free(rows), free(columns);
    return worst;
}

#endif
