/* SPDX-License-Identifier: MIT */
/** @file model.c
 * The figures of Li et al. (2011) that come from their cost model, computed from the model in
 * common/: 11, 14, 15 and 17 to 22.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/model.h"
#include "kept.h"
#include "paper.h"

static const struct {
    const char *name;
    struct cost (*model)(const struct context *ctx, struct product p, int levels);
} methods[] = {
    {"GPU8", model_gpu8}, {"Strassen", model_strassen}, {"Winograd", model_winograd}};

/* Among the methods; -1: none. */
static int method_of(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(methods[i].name, name) == 0)
            return i;
    return -1;
}

static struct cost cost_of(int method, int levels, long n)
{
    struct context ctx = {.fused = 1};
    return methods[method].model(&ctx, product_of_size(n, n, n), method ? levels : 0);
}

enum quantity { ARITHMETICS, TRANSACTIONS, VOLUME, NO_QUANTITY };
static enum quantity quantity_of(const char *name)
{
    return strcmp(name, "arithmetics") == 0    ? ARITHMETICS
           : strcmp(name, "transactions") == 0 ? TRANSACTIONS
           : strcmp(name, "volume") == 0       ? VOLUME
                                               : NO_QUANTITY;
}

static double pick(struct cost cost, enum quantity q)
{
    return q == ARITHMETICS ? cost.flops : q == TRANSACTIONS ? cost.transactions : cost.volume;
}

/* c3 n^3 + c2 n^2: every quantity of the model has this form. */
struct polynomial {
    double c3, c2;
};

/* From the values at n and 2n, n = 2048: leaves are whole tiles of GPU8 on four levels then.
   All coefficients are fractions over powers of two, so that nothing is rounded. */
enum { N = 2048 };
static struct polynomial through(struct cost at_n, struct cost at_2n, enum quantity q)
{
    const double n = N, one = pick(at_n, q), two = pick(at_2n, q);
    double c3 = (two / (4 * n * n) - one / (n * n)) / n;
    return (struct polynomial){c3, one / (n * n) - c3 * n};
}

static struct polynomial polynomial_of(int method, int levels, enum quantity q)
{
    return through(cost_of(method, levels, N), cost_of(method, levels, 2 * N), q);
}

/* Writes "17n^3/4096" behind what `to` holds, with a sign that fits; nothing for 0. */
static void append_term(char *to, double coefficient, const char *variable, int power)
{
    double numerator = fabs(coefficient), denominator = 1;
    char *end = to + strlen(to);
    if (coefficient == 0)
        return;
    while (numerator != (double)(long long)numerator)
        numerator *= 2, denominator *= 2;
    end += sprintf(end, "%s", coefficient < 0 ? (*to ? " - " : "-") : *to ? " + " : "");
    if (numerator != 1)
        end += sprintf(end, "%.0f", numerator);
    end += sprintf(end, "%s^%d", variable, power);
    if (denominator != 1)
        sprintf(end, "/%.0f", denominator);
}

static const char *written(struct polynomial p, const char *variable)
{
    char all[96] = "";
    append_term(all, p.c3, variable, 3);
    append_term(all, p.c2, variable, 2);
    return text("%s", all);
}

/* A cell of Figure 11: of kernels that are a product, T (or V) and what they add. */
static const char *kernel_cell(const char *kernel, enum quantity q)
{
    for (int i = 0; i < KERNEL_MODELS && q != ARITHMETICS; i++) {
        const struct kernel_model *k = &kernel_models[i];
        if (strcmp(k->name, kernel) != 0)
            continue;
        struct polynomial of = through(model_kernel(k, N), model_kernel(k, 2 * N), q),
                          product = polynomial_of(0, 0, q);
        if (!k->product)
            return written(of, "m");
        const char symbol = q == TRANSACTIONS ? 'T' : 'V';
        struct polynomial more = {of.c3 - product.c3, of.c2 - product.c2};
        return more.c2 == 0 ? text("%c = %s", symbol, written(product, "m"))
                            : text("%c + %s", symbol, written(more, "m"));
    }
    return NULL;
}

double model_reduction(const char *method, int levels, long n, const char *quantity)
{
    int i = method_of(method);
    enum quantity q = quantity_of(quantity);
    return i < 0 || q == NO_QUANTITY
               ? (double)NAN
               : 100 * (1 - pick(cost_of(i, levels, n), q) / pick(cost_of(0, 0, n), q));
}

const char *model_cell(const struct place *at)
{
    int figure = atoi(at->with), method = method_of(at->row);
    enum quantity q = quantity_of(at->column);
    char name[16];
    long n;
    if (q == NO_QUANTITY)
        return NULL;
    if (figure == 11)
        return kernel_cell(at->row, q);
    if (figure == 15 || figure >= 20) /* rows are "Strassen 4096" */
        return sscanf(at->row, "%15s %ld", name, &n) != 2
                   ? NULL
                   : text("%.1f",
                          model_reduction(name, figure == 15 ? 1 : figure - 18, n, at->column));
    return method < 0 ? NULL
                      : written(polynomial_of(method, figure == 14 ? 1 : figure - 15, q), "n");
}
