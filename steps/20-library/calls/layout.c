/* SPDX-License-Identifier: MIT */
/** @file layout.c
 * Converts cublasSgemm's arguments to a method's, and decides which matrices are copied.
 */
#include <stdint.h>
#include <string.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* Whether a matrix, or each of a batch, suits the methods. An element's size is a power of two;
   divisions would take a part of a small product's time that can be measured. */
static bool suits(const struct typed_methods *of, const void *matrix, int ld, long long stride)
{
    return ((uintptr_t)matrix & (4 * of->size - 1)) == 0 && ((ld | stride) & 3) == 0;
}

bool is_scaled(const struct gemm_call *x)
{
    return x->on_device || !x->of->is(x->alpha, 1) || !x->of->is(x->beta, 0);
}

struct key key_of(const struct gemm_call *x)
{
    struct key key = {x->m, x->n, x->k, x->count > 1 ? x->count : 1, ""};
    key.how[0] = suits(x->of, x->a, x->lda, x->stride_a) ? "nt"[x->ta] : "NT"[x->ta];
    key.how[1] = suits(x->of, x->b, x->ldb, x->stride_b) ? "nt"[x->tb] : "NT"[x->tb];
    key.how[2] =
        suits(x->of, x->c, x->ldc, x->stride_c) ? "ps"[is_scaled(x)] : "PS"[is_scaled(x)];
    key.how[3] = letter_of(x->of, x->math);
    return key;
}

static size_t take(size_t *elements, size_t count)
{
    size_t at = *elements;
    *elements += (count + 63) / 64 * 64;
    return at;
}

/* The functions of a plan's method, or of the one that takes its place in accurate calls. */
static struct method_functions functions_of(const struct gemm_call *x, int method)
{
    const struct method *with = method_of(method);
    for (int i = 0; x->accurate && ladder_added[i]; i++)
        if (ladder_added[i]->instead_of &&
            strcmp(ladder_added[i]->instead_of, with->name) == 0 &&
            ladder_added[i]->wide == (x->of == &ladder_f64))
            return ladder_added[i]->functions;
    return method < METHODS ? x->of->functions[method] : with->functions;
}

/* cublasSgemm's C = op(A) op(B), column-major, is C^T = op(B)^T op(A)^T, row-major, in the same
   memory: B is the left factor and A the right one. Factors are copied if they are transposed,
   if their pointer or leading dimension is not a multiple of four elements, or if an edge is
   not a multiple of 4 * 2^levels. The product goes to a temporary if C is not aligned so, or if
   alpha and beta must still be applied. */
struct workspace_layout layout_of(const struct gemm_call *x, struct method_plan plan)
{
    long multiple = 4L << plan.levels;
    long m = round_up(x->n, multiple), n = round_up(x->m, multiple),
         k = round_up(x->k, multiple);
    struct workspace_layout at = {.elements = 0};
    if (plan.method == CUBLAS)
        return at;
    at.p = product_of_size(m, n, k);
    at.p.a.at = (void *)x->b, at.p.a.ld = x->ldb;
    at.p.b.at = (void *)x->a, at.p.b.ld = x->lda;
    at.p.c.at = x->c, at.p.c.ld = x->ldc;
    at.copy_left = x->tb || !suits(x->of, x->b, x->ldb, x->stride_b) || m != x->n || k != x->k;
    at.copy_right = !x->prepared && (x->ta || !suits(x->of, x->a, x->lda, x->stride_a) ||
                                     n != x->m || k != x->k);
    at.apart =
        is_scaled(x) || !suits(x->of, x->c, x->ldc, x->stride_c) || m != x->n || n != x->m;
    if (at.copy_left)
        at.left = take(&at.elements, (size_t)(m * k)), at.p.a.ld = k;
    if (at.copy_right)
        at.right = take(&at.elements, (size_t)(k * n)), at.p.b.ld = n;
    if (at.apart)
        at.product = take(&at.elements, (size_t)(m * n)), at.p.c.ld = n;
    if (x->prepared)
        at.p.b.at = x->prepared->right.at, at.p.b.ld = x->prepared->right.ld;
    if (x->prepared)
        at.rest = take(
            &at.elements,
            method_of(plan.method)->prepared.workspace(at.p, plan.levels, x->prepared->math) /
                x->of->size);
    else
        at.rest =
            take(&at.elements, functions_of(x, plan.method).workspace(NULL, at.p, plan.levels));
    return at;
}

size_t layout_bytes(const struct gemm_call *x, struct method_plan plan)
{
    return layout_of(x, plan).elements * x->of->size;
}

void run_plan(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan)
{
    struct context ctx = library_context(h, x->of);
    size_t size = x->of->size;
    struct workspace_layout at = layout_of(x, plan);
    char *workspace = space_of(h)->at;
    if (at.copy_left) {
        at.p.a.at = workspace + at.left * size;
        x->of->copy(&ctx, x->b, x->ldb, x->tb, x->n, x->k, at.p.a.at, at.p.a.rows, at.p.a.cols);
    }
    if (at.copy_right) {
        at.p.b.at = workspace + at.right * size;
        x->of->copy(&ctx, x->a, x->lda, x->ta, x->k, x->m, at.p.b.at, at.p.b.rows, at.p.b.cols);
    }
    if (at.apart)
        at.p.c.at = workspace + at.product * size;
    ctx.settings[SET_BESIDE] = plan.parameter;
    if (x->prepared)
        method_of(plan.method)
            ->prepared.multiply(&ctx, at.p, plan.levels, x->prepared->math, x->prepared->kept,
                                workspace + at.rest * size);
    else
        functions_of(x, plan.method)
            .multiply(&ctx, at.p, plan.levels, workspace + at.rest * size);
    if (at.apart)
        x->of->finish(&ctx, x, at.p.c.at, at.p.c.ld);
}

struct gemm_call product_in_batch(const struct gemm_call *x, int i)
{
    struct gemm_call one = *x;
    long long size = (long long)x->of->size;
    one.a = (const char *)x->a + i * x->stride_a * size;
    one.b = (const char *)x->b + i * x->stride_b * size;
    one.c = (char *)x->c + i * x->stride_c * size;
    return one;
}

void run_planned(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan)
{
    struct context ctx = library_context(h, x->of);
    if (plan.method == CUBLAS) {
        x->of->gemm(&ctx, x);
        return;
    }
    for (int i = 0; i == 0 || i < x->count; i++) {
        struct gemm_call one = product_in_batch(x, i);
        run_plan(h, &one, plan);
    }
}
