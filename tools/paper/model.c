/* SPDX-License-Identifier: MIT */
/** @file model.c
 * The figures of Li et al. (2011) that come from their cost model, computed from the model in
 * common/: 11, 14, 15 and 17 to 22.
 */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/classical.h"
#include "common/model/kernels.h"
#include "common/model/multilevel.h"

/** c3 n^3 + c2 n^2: every quantity of the model has this form. */
struct polynomial {
    double c3, c2;
};

/** Arithmetics, transactions and volume. */
struct polynomials {
    struct polynomial of[3];
};

typedef struct cost cost_model(const struct context *x, struct product p, int levels);

static struct cost cost_at(cost_model *model, int levels, long n)
{
    struct context x = {.fused = 1};
    return model(&x, product_of_size(n, n, n), levels);
}

/* From the values at n and 2n. All coefficients are fractions over powers of two, so that
   nothing is rounded. */
static struct polynomial through(double at_n, double at_2n, double n)
{
    double c3 = (at_2n / (4 * n * n) - at_n / (n * n)) / n;
    return (struct polynomial){c3, at_n / (n * n) - c3 * n};
}

static struct polynomials polynomials_of(cost_model *model, int levels)
{
    enum { N = 2048 }; /* leaves are whole tiles of GPU8 on four levels */
    struct cost at_n = cost_at(model, levels, N), at_2n = cost_at(model, levels, 2 * N);
    return (struct polynomials){{through(at_n.flops, at_2n.flops, N),
                                 through(at_n.transactions, at_2n.transactions, N),
                                 through(at_n.volume, at_2n.volume, N)}};
}

/* Writes "17n^3/4096" behind what `text` holds, with a sign that fits; nothing for 0. */
static void append_term(char *text, double coefficient, const char *variable, int power)
{
    double numerator = coefficient < 0 ? -coefficient : coefficient, denominator = 1;
    char *end = text + strlen(text);
    if (coefficient == 0)
        return;
    while (numerator != (double)(long long)numerator)
        numerator *= 2, denominator *= 2;
    end += sprintf(end, "%s", coefficient < 0 ? (*text ? " - " : "-") : *text ? " + " : "");
    if (numerator != 1)
        end += sprintf(end, "%.0f", numerator);
    end += sprintf(end, "%s^%d", variable, power);
    if (denominator != 1)
        sprintf(end, "/%.0f", denominator);
}

static const char *written(struct polynomial p, const char *variable)
{
    static char texts[4][96]; /* one line shows several */
    static int next;
    char *text = texts[next++ % 4];
    *text = 0;
    append_term(text, p.c3, variable, 3);
    append_term(text, p.c2, variable, 2);
    return text;
}

/* A kernel's figure as T (or V) and what it adds, for kernels that are a product. */
static const char *beside_product(struct polynomial kernel, struct polynomial product,
                                  int is_product, char symbol)
{
    static char texts[2][96];
    static int next;
    char *text = texts[next++ % 2];
    if (!is_product)
        return written(kernel, "m");
    kernel.c3 -= product.c3;
    kernel.c2 -= product.c2;
    if (kernel.c2 == 0)
        snprintf(text, sizeof texts[0], "%c = %s", symbol, written(product, "m"));
    else
        snprintf(text, sizeof texts[0], "%c + %s", symbol, written(kernel, "m"));
    return text;
}

static const struct {
    const char *name;
    cost_model *model;
} methods[] = {
    {"GPU8", model_gpu8}, {"Strassen", model_strassen}, {"Winograd", model_winograd}};
enum { METHODS = sizeof methods / sizeof *methods };

static const char *const quantities[] = {"arithmetics", "transactions", "volume"};

static int place_of(const char *name, const char *const names[], int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* A cell of Figure 11. */
static const char *kernel_cell(const char *kernel, int quantity)
{
    enum { M = 2048 };
    struct polynomials gpu8 = polynomials_of(model_gpu8, 0);
    for (int i = 0; i < KERNEL_MODELS && quantity > 0; i++) {
        const struct kernel_model *k = &kernel_models[i];
        if (strcmp(k->name, kernel) != 0)
            continue;
        struct cost at_m = model_kernel(k, M), at_2m = model_kernel(k, 2 * M);
        if (quantity == 1)
            return beside_product(through(at_m.transactions, at_2m.transactions, M), gpu8.of[1],
                                  k->product, 'T');
        return beside_product(through(at_m.volume, at_2m.volume, M), gpu8.of[2], k->product,
                              'V');
    }
    return NULL;
}

double model_reduction(const char *method, int levels, long n, const char *quantity)
{
    int which = place_of(quantity, quantities, 3);
    for (int i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, method) == 0 && which >= 0) {
            struct cost gpu8 = cost_at(model_gpu8, 0, n);
            struct cost ours = cost_at(methods[i].model, i ? levels : 0, n);
            double of[] = {ours.flops / gpu8.flops, ours.transactions / gpu8.transactions,
                           ours.volume / gpu8.volume};
            return 100 * (1 - of[which]);
        }
    return NAN;
}

/* The row of Figures 15 and 20 to 22: "Strassen 4096". */
static const char *reduction_cell(int levels, const char *row, const char *quantity)
{
    static char text[32];
    char method[16];
    long n;
    if (sscanf(row, "%15s %ld", method, &n) != 2)
        return NULL;
    snprintf(text, sizeof text, "%.1f", model_reduction(method, levels, n, quantity));
    return text;
}

const char *model_cell(const char *figure, const char *row, const char *column)
{
    int number = atoi(figure), quantity = place_of(column, quantities, 3);
    if (quantity < 0)
        return NULL;
    if (number == 11)
        return kernel_cell(row, quantity);
    if (number == 15 || (number >= 20 && number <= 22))
        return reduction_cell(number == 15 ? 1 : number - 18, row, column);
    int levels = number == 14 ? 1 : number - 15;
    for (int i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, row) == 0)
            return written(polynomials_of(methods[i].model, i ? levels : 0).of[quantity], "n");
    return NULL;
}
