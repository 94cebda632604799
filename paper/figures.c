/**
 * @file figures.c
 * Prints the tables of Li et al. (2011) that come from their cost model, computed from the model in
 * common/: Figures 11, 14, 15 and 17 to 22.
 */
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

static struct cost cost_at(struct cost (*model)(const struct problem *), int levels, long n)
{
    struct problem p = {.m = n, .n = n, .k = n, .levels = levels, .fused = 1};
    return model(&p);
}

/* From the values at n and 2n. All coefficients are fractions over powers of two, so that nothing
   is rounded. */
static struct polynomial through(double at_n, double at_2n, double n)
{
    double c3 = (at_2n / (4 * n * n) - at_n / (n * n)) / n;
    return (struct polynomial){c3, at_n / (n * n) - c3 * n};
}

static struct polynomials polynomials_of(struct cost (*model)(const struct problem *), int levels)
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
static const char *beside_product(struct polynomial kernel, struct polynomial product, int is_product,
                                  char symbol)
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

static void print_kernels(void)
{
    enum { M = 2048 };
    struct polynomials gpu8 = polynomials_of(model_gpu8, 0);
    printf("Figure 11: device-memory transactions and bytes of the kernels, m x m matrices\n\n");
    printf("%-14s %-28s %s\n", "kernel", "transactions", "volume");
    for (int i = 0; i < KERNEL_MODELS; i++) {
        const struct kernel_model *k = &kernel_models[i];
        struct cost at_m = model_kernel(k, M), at_2m = model_kernel(k, 2 * M);
        struct polynomial t = through(at_m.transactions, at_2m.transactions, M);
        struct polynomial v = through(at_m.volume, at_2m.volume, M);
        printf("%-14s %-28s %s\n", k->name, beside_product(t, gpu8.of[1], k->product, 'T'),
               beside_product(v, gpu8.of[2], k->product, 'V'));
    }
}

static const struct {
    const char *name;
    struct cost (*model)(const struct problem *);
} methods[] = {{"GPU8", model_gpu8}, {"Strassen", model_strassen}, {"Winograd", model_winograd}};

static void print_formulas(int figure, int levels)
{
    printf("Figure %d: %d level%s on n x n matrices\n\n", figure, levels, levels > 1 ? "s" : "");
    printf("%-9s %-28s %-36s %s\n", "method", "arithmetics", "transactions", "volume");
    for (int i = 0; i < 3; i++) {
        struct polynomials p = polynomials_of(methods[i].model, i ? levels : 0);
        printf("%-9s %-28s %-36s %s\n", methods[i].name, written(p.of[0], "n"),
               written(p.of[1], "n"), written(p.of[2], "n"));
    }
}

static double reduction(double method, double gpu8) { return 100 * (1 - method / gpu8); }

static void print_reductions(int figure, int levels)
{
    printf("Figure %d: percent less than GPU8, %d level%s\n\n", figure, levels,
           levels > 1 ? "s" : "");
    printf("%6s %-9s %12s %13s %7s\n", "n", "method", "arithmetics", "transactions", "volume");
    for (long n = 4096; n <= 16384; n *= 2)
        for (int i = 1; i < 3; i++) {
            struct cost gpu8 = cost_at(model_gpu8, 0, n);
            struct cost method = cost_at(methods[i].model, levels, n);
            printf("%6ld %-9s %12.1f %13.1f %7.1f\n", n, methods[i].name,
                   reduction(method.flops, gpu8.flops),
                   reduction(method.transactions, gpu8.transactions),
                   reduction(method.volume, gpu8.volume));
        }
}

static const struct {
    int figure;
    void (*print)(int figure, int levels);
    int levels;
} figures[] = {{14, print_formulas, 1},   {15, print_reductions, 1}, {17, print_formulas, 2},
               {18, print_formulas, 3},   {19, print_formulas, 4},   {20, print_reductions, 2},
               {21, print_reductions, 3}, {22, print_reductions, 4}};
enum { FIGURES = sizeof figures / sizeof *figures };

static int usage(FILE *to, int status)
{
    fprintf(to, "usage: figures [11|14|15|17|18|19|20|21|22]\n"
                "Prints that figure of Li et al. (2011), or all of them, from the cost model.\n");
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(stdout, EXIT_RIGHT);
    if (argc > 2)
        return usage(stderr, EXIT_USAGE);
    char *end = NULL;
    long only = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    int printed = 0;
    if (end && (end == argv[1] || *end || only <= 0)) {
        fprintf(stderr, "'%s' is no figure's number\n", argv[1]);
        return usage(stderr, EXIT_USAGE);
    }
    if (only == 0 || only == 11)
        print_kernels(), printed++;
    for (int i = 0; i < FIGURES; i++)
        if (only == 0 || only == figures[i].figure) {
            printf("%s", printed++ ? "\n" : "");
            figures[i].print(figures[i].figure, figures[i].levels);
        }
    if (printed == 0) {
        fprintf(stderr, "Figure %ld does not come from the model\n", only);
        return usage(stderr, EXIT_USAGE);
    }
    return EXIT_RIGHT;
}
