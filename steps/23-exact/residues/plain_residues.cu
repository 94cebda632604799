/* SPDX-License-Identifier: MIT */
/** @file plain_residues.cu
 * The whole method in plain C on the processor; the kernels of this step compute the same, bit
 * for bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "steps/23-exact/exact_batch.h"
#include "common/device/backend.h"
#include "common/device/gpu.h"

/* Lines are rows of A and columns of B, `terms` elements each, one after another. */
struct integers {
    long lines, terms;
    int64_t *at;
    int *exponents;
    struct line_terms *apart;
    struct line_span *spans;
};

static void *enough_memory(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        gpu_failed("malloc", __FILE__, __LINE__, (int)cudaErrorMemoryAllocation,
                   "out of memory");
    return memory;
}

/* A line as integers: its exponent follows from its norm, and its elements are rounded once. */
static int scale_line(struct norm_limit limit, const real *x, long step, long terms,
                      int64_t *to, struct line_span *span)
{
    struct span_counts counts = {{0}, 0};
    uint64_t most = 0, norm = 0;
    long numbers = 0;
    for (long l = 0; l < terms; l++) {
        uint64_t bits = magnitude_bits(x[l * step]);
        most = bits > most ? bits : most, numbers += bits > 0;
    }
    int s = LINE_DROPPED, e = most ? exponent_over(most) : 0;
    if (most < NOT_FINITE && numbers > TERMS_APART) {
        for (long l = 0; l < terms; l++) {
            norm += norm_part(x[l * step], e);
            struct few_counts one = {0, 0};
            count_element(&one, magnitude_bits(x[l * step]), e);
            add_few_counts(one, &counts);
        }
        s = line_exponent(limit, norm, e);
        *span = span_of(&counts, e, s);
    }
    for (long l = 0; l < terms; l++)
        to[l] = integer_of(x[l * step], s);
    return s;
}

static struct integers integers_of(struct norm_limit limit, const real *x, long lines,
                                   long terms, long line_step, long step)
{
    struct integers f = {
        .lines = lines,
        .terms = terms,
        .at = (int64_t *)enough_memory(lines * terms * sizeof(int64_t)),
        .exponents = (int *)enough_memory(lines * sizeof(int)),
        .apart = (struct line_terms *)enough_memory(lines * sizeof(struct line_terms)),
        .spans = (struct line_span *)enough_memory(lines * sizeof(struct line_span))};
    for (long i = 0; i < lines; i++) {
        f.exponents[i] =
            scale_line(limit, x + i * line_step, step, terms, f.at + i * terms, &f.spans[i]);
        if (f.exponents[i] == LINE_DROPPED)
            f.apart[i] = terms_of_line(x + i * line_step, step, (int)terms);
    }
    return f;
}

static void release(struct integers *f)
{
    free(f->at), free(f->exponents), free(f->apart), free(f->spans);
}

/* The element of a block of integers at (line, term); zero beyond the edge. */
static int64_t integer_at(const struct integers *f, long line, long term)
{
    return line < f->lines && term < f->terms ? f->at[line * f->terms + term] : 0;
}

/* The factor of product o for modulus m: sums of blocks as integers, then reduced to bytes. */
static void reduce_factor(const struct integers *f, int right, int levels, int o,
                          const struct modulus *m, long lines, long terms, signed char *to)
{
    struct block_sum sum = factor_sum(right, levels, o);
    struct reducer reducer = reducer_of(m, 1);
    for (long i = 0; i < lines; i++)
        for (long l = 0; l < terms; l++) {
            int64_t x = 0;
            for (int b = 0; b < sum.count; b++) {
                long across = sum.at[b] % (1 << levels), down = sum.at[b] / (1 << levels);
                long line = right ? across : down, term = right ? down : across;
                x += sum.sign[b] * integer_at(f, line * lines + i, term * terms + l);
            }
            to[i * terms + l] = (signed char)residue_of(
                remainder_of((double)x, (uint32_t)x, &reducer), &reducer, 0);
        }
}

/* An element of one product mod p: a sum of multiplications of bytes, which fits in an int. */
static int product_of_bytes(const signed char *a, const signed char *b, long terms,
                            const struct modulus *m)
{
    uint32_t residue = 0;
    for (long first = 0; first < terms; first += TERMS_IN_A_SUM) {
        int32_t sum = 0;
        for (long l = first; l < smaller(terms, first + TERMS_IN_A_SUM); l++)
            sum += a[l] * b[l];
        residue = (residue + residue_of_sum(sum, m)) % m->p;
    }
    return (int)residue;
}

/* All products of all moduli, [modulus][product][row][column], one after another. */
static unsigned char *all_products(const struct residue_system *r, const struct integers *a,
                                   const struct integers *b, int levels)
{
    long m = pieces_of(a->lines, 1L << levels), n = pieces_of(b->lines, 1L << levels),
         k = pieces_of(a->terms, 1L << levels);
    int products = products_of(levels);
    unsigned char *c = (unsigned char *)enough_memory((size_t)r->count * products * m * n);
    signed char *left = (signed char *)enough_memory(m * k);
    signed char *right = (signed char *)enough_memory(n * k);
    for (int i = 0; i < r->count; i++)
        for (int o = 0; o < products; o++) {
            reduce_factor(a, 0, levels, o, &r->m[i], m, k, left);
            reduce_factor(b, 1, levels, o, &r->m[i], n, k, right);
            for (long row = 0; row < m; row++)
                for (long col = 0; col < n; col++)
                    c[((i * products + o) * m + row) * n + col] =
                        (unsigned char)product_of_bytes(left + row * k, right + col * k, k,
                                                        &r->m[i]);
        }
    free(left), free(right);
    return c;
}

/* An element of C: sums its block's products modulo each p, then rebuilds the integer. */
static real element_of(const struct residue_system *r, const unsigned char *products,
                       size_t stride, int levels, int block, int exponent)
{
    struct block_sum sum = result_sum(levels, block);
    struct rebuilt x = {{0}};
    size_t next = products_of(levels) * stride;
    for (int i = 0; i < r->count; i += 2) {
        const struct modulus_pair *pair = &r->pairs[i / 2];
        uint32_t v = 0;
        for (int o = 0; o < sum.count; o++) {
            const unsigned char *at = products + i * next + sum.at[o] * stride;
            uint32_t bytes = at[0] | (i + 1 < r->count ? at[next] : 0) << 8;
            v += sum.sign[o] > 0 ? 0 : pair->complement;
            v = add_low_bytes(pair->factors, sum.sign[o] > 0 ? bytes : ~bytes, v);
        }
        rebuild_add(&x, v, pair, unit_pieces(r->count));
    }
    return rounded<real>(&x, r, unit_pieces(r->count), exponent);
}

/* The sum of doubles, in ascending order. */
static double sum_of_doubles(const real *row, const real *col, long col_step, long terms)
{
    double sum = 0;
    for (long l = 0; l < terms; l++)
        sum = fma(row[l], col[l * col_step], sum);
    return sum;
}

void multiply_residues_on_host(struct residue_system r, long m, long n, long k, const real *a,
                               const real *b, real *c, int levels, bool safe)
{
    double least = least_sum(&r, k);
    struct integers left = integers_of(r.limits[0], a, m, k, k, 1),
                    right = integers_of(r.limits[1], b, n, k, 1, n);
    unsigned char *products = all_products(&r, &left, &right, levels);
    long rows = pieces_of(m, 1L << levels), cols = pieces_of(n, 1L << levels);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            int s = left.exponents[i], t = right.exponents[j];
            int block = (int)(i / rows << levels | j / cols);
            if (s == LINE_DROPPED || t == LINE_DROPPED) {
                c[i * n + j] = (real)element_apart(a + i * k, b + j, n, (int)k,
                                                   s == LINE_DROPPED ? &left.apart[i] : NULL,
                                                   t == LINE_DROPPED ? &right.apart[j] : NULL);
                continue;
            }
            double sum = NAN;
            if (safe && needs_doubles(&left.spans[i], &right.spans[j], padded_terms(k), least))
                sum = sum_of_doubles(a + i * k, b + j, n, k);
            c[i * n + j] = is_finite_sum(sum)
                               ? (real)sum
                               : element_of(&r, products + i % rows * cols + j % cols,
                                            (size_t)(rows * cols), levels, block, s + t);
        }
    release(&left), release(&right), free(products);
}

/* ---- As a variant: copies the matrices from the device and back ---- */

static real *rows_from_device(struct block x)
{
    real *rows = (real *)enough_memory((size_t)x.rows * x.cols * sizeof *rows);
    CUDA_CHECK(cudaMemcpy2D(rows, x.cols * sizeof *rows, x.at, x.ld * sizeof *rows,
                            x.cols * sizeof *rows, x.rows, cudaMemcpyDeviceToHost));
    return rows;
}

void residues_plain(const struct context *ctx, struct product p, int levels, real *)
{
    real *a = rows_from_device(p.a), *b = rows_from_device(p.b);
    real *c = (real *)enough_memory((size_t)p.c.rows * p.c.cols * sizeof *c);
    multiply_residues_on_host(residue_system_of(moduli_asked(ctx, MODULI_USUAL)), p.c.rows,
                              p.c.cols, p.a.cols, a, b, c, levels, ctx->settings[SET_SAFE]);
    CUDA_CHECK(cudaMemcpy2D(p.c.at, p.c.ld * sizeof *c, c, p.c.cols * sizeof *c,
                            p.c.cols * sizeof *c, p.c.rows, cudaMemcpyHostToDevice));
    free(a), free(b), free(c);
}
