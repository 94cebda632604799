/* SPDX-License-Identifier: MIT */
/** @file figure44.cu
 * --figure-44: how far dgemm, dStrassen and dWinograd on the GPU are from the classical product
 * on the processor, divided by the mean size of its elements (Li et al. (2011), section 8.2).
 * --elements has the same for some elements, without a GPU.
 */
#include "figure44.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/cublas.h"
#include "common/command/depth.h"
#include "common/matrix/input.h"
#include "common/measure/json.h"
#include "common/measure/report.h"
#include "docs/documents/numbers.h"
#include "steps/01-cpu-naive/ikj.h"
#include "steps/14-strassen-multilevel/multilevel.h"
#include "steps/15-winograd-multilevel/winograd.h"

enum { ALL_METHODS = 3 };
static const struct {
    const char *name, *document; /* its row of Figure 44 */
    multiplication *multiply;
} all_methods[ALL_METHODS] = {{"dgemm", "dgemm", multiply_cublas},
                              {"dstrassen", "dStrassen", strassen},
                              {"dwinograd", "dWinograd", winograd}};

/* Over all pairs of one kind of input. */
struct normalised {
    double maximum, average; /* the largest of the pairs' maxima, the mean of their averages */
};

/* A pair of matrices, the classical product, and the GPU's. */
struct pair {
    struct matrix a, b, classical, c;
    real *workspace;      /* the GPU's */
    real *host_workspace; /* the classical product's */
};

/// [compare]
/* One product against the classical one: the largest and the mean difference, over the mean of
   the classical product's elements. */
static struct normalised normalised_of(const struct pair *pair)
{
    double most = 0, sum = 0, magnitude = 0, n = (double)pair->c.rows * pair->c.cols;
    for (long i = 0; i < pair->c.rows; i++)
        for (long j = 0; j < pair->c.cols; j++) {
            real expected = ((const real *)pair->classical.host)[i * pair->classical.ld + j];
            real difference = fabs(((const real *)pair->c.host)[i * pair->c.ld + j] - expected);
            most = fmax(most, difference);
            sum += difference;
            magnitude += fabs(expected);
        }
    struct normalised result = {most / (magnitude / n), sum / magnitude};
    return result;
}
/// [compare]

static int create_pair(struct pair *pair, const struct context *ctx, struct product p,
                       int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    size_t strassen_needs = workspace_strassen(ctx, p, levels);
    size_t winograd_needs = workspace_winograd(ctx, p, levels);
    size_t elements = strassen_needs > winograd_needs ? strassen_needs : winograd_needs;
    pair->workspace = (real *)backend.allocate((elements ? elements : 1) * sizeof(real));
    pair->host_workspace = (real *)malloc(workspace_unfused(ctx, p, 0) * sizeof(real));
    return pair->workspace && pair->host_workspace &&
           matrix_create(&pair->a, PRECISION_F64, m, k, k) &&
           matrix_create(&pair->b, PRECISION_F64, k, n, n) &&
           matrix_create(&pair->classical, PRECISION_F64, m, n, n) &&
           matrix_create(&pair->c, PRECISION_F64, m, n, n);
}

static void destroy_pair(struct pair *pair)
{
    if (pair->workspace)
        backend.release(pair->workspace);
    free(pair->host_workspace);
    matrix_destroy(&pair->a);
    matrix_destroy(&pair->b);
    matrix_destroy(&pair->classical);
    matrix_destroy(&pair->c);
}

static void multiply_on_processor(const struct pair *pair, const struct context *ctx,
                                  struct product p)
{
    p.a.at = (real *)pair->a.host, p.b.at = (real *)pair->b.host;
    p.c.at = (real *)pair->classical.host;
    multiply_unfused(ctx, p, 0, pair->host_workspace);
}

static void compare_pair(struct pair *pair, const struct context *ctx, struct product p,
                         int levels, enum input input, uint64_t seed,
                         struct normalised found[ALL_METHODS], int pairs)
{
    input_fill(&pair->a, input, OPERAND_A, seed, 0);
    input_fill(&pair->b, input, OPERAND_B, seed, 0);
    matrix_upload(&pair->a);
    matrix_upload(&pair->b);
    multiply_on_processor(pair, ctx, p);
    p.a.at = (real *)pair->a.device, p.b.at = (real *)pair->b.device;
    p.c.at = (real *)pair->c.device;
    for (int i = 0; i < ALL_METHODS; i++) {
        matrix_poison(&pair->c);
        matrix_upload(&pair->c);
        all_methods[i].multiply(ctx, p, levels, pair->workspace);
        matrix_download(&pair->c);
        struct normalised one = normalised_of(pair);
        found[i].maximum = fmax(found[i].maximum, one.maximum);
        found[i].average += one.average / pairs;
    }
}

void print_normalised_json(const struct options *o, const char *variant, const char *input,
                           long n, int levels, int pairs, double maximum, double average)
{
    struct json json = json_begin(stdout);
    json_text(&json, "step", o->step->name);
    json_text(&json, "variant", variant);
    json_text(&json, "backend", backend.name);
    json_text(&json, "device", backend.device());
    json_text(&json, "precision", "f64");
    json_text(&json, "input", input);
    json_whole(&json, "n", n);
    json_whole(&json, "levels", levels);
    json_whole(&json, "pairs", pairs);
    json_number(&json, "maximum", maximum);
    json_number(&json, "average", average);
    json_end(&json);
}

static void print_rows(const struct options *o, int levels, const char *input, int pairs,
                       const struct normalised found[ALL_METHODS])
{
    for (int i = 0; i < ALL_METHODS; i++) {
        const char *name = all_methods[i].document;
        if (o->json)
            print_normalised_json(o, all_methods[i].name, input, o->n, levels, pairs,
                                  found[i].maximum, found[i].average);
        else
            printf("%-10s %-9s %.1e (%s)  %.1e (%s)\n", name, input, found[i].maximum,
                   paper_text("44", name, "maximum"), found[i].average,
                   paper_text("44", name, "average"));
    }
    fflush(stdout); /* the other inputs take minutes */
}

int print_figure_44(const struct options *o)
{
    static const enum input inputs[] = {INPUT_UNIFORM, INPUT_POSITIVE};
    int levels = depth_of(o).levels;
    struct context ctx = context_of(o);
    ctx.leaf = find_leaf(o->step->leaves, "dgemm");
    struct product p = product_of_size(o->m, o->n, o->k);
    int pairs = o->reps > 0 ? (int)o->reps : 10;
    long quadrants = 1L << levels;
    if (o->m % (WHOLE_M * quadrants) || o->n % (WHOLE_N * quadrants) ||
        o->k % (WHOLE_K * quadrants)) {
        fprintf(
            stderr,
            "--figure-44: with %d levels m, n and k must be multiples of %ld, %ld and %ld\n",
            levels, WHOLE_M * quadrants, WHOLE_N * quadrants, WHOLE_K * quadrants);
        return EXIT_USAGE;
    }
    struct pair pair = {};
    if (!create_pair(&pair, &ctx, p, levels)) {
        destroy_pair(&pair);
        fprintf(stderr, "--figure-44: not enough memory for n = %ld\n", o->n);
        return EXIT_RESOURCE;
    }
    if (!o->json)
        printf("Figure 44: differences from the classical product on the processor over its "
               "mean size,\n"
               "%d pairs, n = %ld, %d levels, on %s; in brackets the document's\n\n%-10s %-9s "
               "%-18s %s\n",
               pairs, o->n, levels, backend.device(), "", "input", "largest maximum",
               "mean average");
    for (int kind = 0; kind < 2; kind++) {
        struct normalised found[ALL_METHODS] = {};
        for (int i = 0; i < pairs; i++) {
            report_progress(o, "%s, pair %d of %d", input_names[inputs[kind]], i + 1, pairs);
            compare_pair(&pair, &ctx, p, levels, inputs[kind], o->seed + i, found, pairs);
        }
        report_progress(o, "%s", "");
        print_rows(o, levels, input_names[inputs[kind]], pairs, found);
    }
    destroy_pair(&pair);
    return EXIT_RIGHT;
}
