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
    struct guarded_matrix a, b, c;
};

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

/** Where element (i, j) of C is among the elements of its block. */
static inline size_t place_in_c(const struct call_data *x, int i, int j)
{
    return x->c.first + (x->rows ? j + (size_t)i * x->c.ld : i + (size_t)j * x->c.ld);
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

/** Element (i, j) of op(X), on the host. */
static inline double at(const struct guarded_matrix *x, bool turned, int i, int j)
{
    return x->host[x->first + (turned ? j + (size_t)i * x->ld : i + (size_t)j * x->ld)];
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

/** A factor or C of this shape, of small integers; seed 0 leaves NaN. */
static inline struct guarded_matrix integers(const struct call_data *x, cublasOperation_t op,
                                             int rows, int columns, int extra, int shift,
                                             unsigned seed)
{
    bool turned = is_turned(x, op);
    struct guarded_matrix y =
        matrix_of(turned ? columns : rows, turned ? rows : columns, extra, shift);
    for (int j = 0; seed && j < y.count; j++)
        for (int i = 0; i < y.lines; i++)
            y.host[y.first + i + (size_t)j * y.ld] =
                small_integer(seed, (size_t)j * y.lines + i);
    copy_to_device(x, &y);
    return y;
}

/** An element of op(A) or op(B): u is uniform in [-1, 1), with all bits of the precision. */
typedef double element(int line, int l, double u);

static inline double as_it_is(int line, int l, double u)
{
    (void)line, (void)l;
    return u;
}

/** A factor or C of numbers that do not depend on how it is stored. Its lines are rows, or with
 * `by_columns` columns. */
static inline struct guarded_matrix filled(const struct call_data *x, cublasOperation_t op,
                                           int rows, int columns, int extra, int shift,
                                           bool by_columns, unsigned seed, element *make)
{
    bool turned = is_turned(x, op);
    struct guarded_matrix y =
        matrix_of(turned ? columns : rows, turned ? rows : columns, extra, shift);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int line = by_columns ? j : i, l = by_columns ? i : j;
            uint64_t number = (uint64_t)seed << 32 | (uint64_t)(line * 4096 + l);
            double u = random_uniform(random_bits(number * RANDOM_STEP));
            double value = make(line, l, x->wide ? u : (double)(float)u);
            y.host[y.first + (turned ? j + (size_t)i * y.ld : i + (size_t)j * y.ld)] =
                x->wide ? value : (double)(float)value;
        }
    copy_to_device(x, &y);
    return y;
}

/** Counts elements of C that differ from the product, which is exact; *outside: whether bytes
 * around them changed. */
static inline int wrong_integers(const struct call_data *x, bool *outside)
{
    const struct guarded_matrix *c = &x->c;
    size_t size = size_of(x), bytes = c->elements * size;
    char *got = fetched(x, c), *before = bytes_of(x, c);
    int wrong = 0;
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = place_in_c(x, i, j);
            double sum = 0, old = x->beta == 0 ? 0 : x->beta * c->host[place];
            for (int l = 0; l < x->k; l++)
                sum +=
                    at(&x->a, is_turned(x, x->ta), i, l) * at(&x->b, is_turned(x, x->tb), l, j);
            double value = x->wide ? ((double *)got)[place] : (double)((float *)got)[place];
            wrong += !(value == x->alpha * sum + old);
            memcpy(got + place * size, before + place * size, size);
        }
    *outside = memcmp(got, before, bytes) != 0;
    free(got), free(before);
    return wrong;
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
            double y = right ? at(&x->b, is_turned(x, x->tb), l, i)
                             : at(&x->a, is_turned(x, x->ta), i, l);
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
        double a = fabs(at(&x->a, is_turned(x, x->ta), i, l)),
               b = fabs(at(&x->b, is_turned(x, x->tb), l, j));
        of_a += fabs(x->alpha) * a < least_normal ? b : 0;
        of_b += fabs(x->alpha) * b < least_normal ? a : 0;
    }
    return fmax(of_a, of_b) * (x->wide ? 0x1p-1075L : 0x1p-150L);
}

/* The error of the worst element in units of the limit; huge if bits changed that must stay. */
static inline double judge(const struct call_data *x, struct ladder_plan ran)
{
    const struct guarded_matrix *c = &x->c;
    size_t size = size_of(x), bytes = c->elements * size;
    char *got = fetched(x, c), *before = bytes_of(x, c);
    double worst = 0, most_a, most_b, unit = x->wide ? 0x1p-53 : 0x1p-24,
           least = x->wide ? 0x1p-1074 : 0x1p-149;
    struct line_size *rows = sizes_of(x, false, &most_a), *columns = sizes_of(x, true, &most_b);
    struct call_bound bound = bound_of(x, ran);
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = place_in_c(x, i, j);
            long double old =
                x->beta == 0 ? 0 : c->host[place]; /* beta times it is exact, too */
            long double sum = 0, value;
            for (int l = 0; l < x->k && x->alpha != 0; l++)
                sum += (long double)at(&x->a, is_turned(x, x->ta), i, l) *
                       at(&x->b, is_turned(x, x->tb), l, j);
            value = x->wide ? ((double *)got)[place] : (double)((float *)got)[place];
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
            memcpy(got + place * size, before + place * size, size);
        }
    if (memcmp(got, before, bytes) != 0)
        worst = HUGE_VAL;
    const struct guarded_matrix *read_only[] = {&x->a, &x->b};
    for (int i = 0; i < 2; i++) {
        char *now = fetched(x, read_only[i]), *was = bytes_of(x, read_only[i]);
        if (memcmp(now, was, read_only[i]->elements * size) != 0)
            worst = HUGE_VAL;
        free(now), free(was);
    }
    free(got), free(before), free(rows), free(columns);
    return worst;
}

#endif
