/* SPDX-License-Identifier: MIT */
/** @file 24-accurate.c
 * Methods as tables of coefficients, and one that loses less accuracy than Strassen's.
 */
#include "common/device/vendor.h"
#include "common/model.h"
#include "steps/02-cpu-blocked/packed.h"
#include "models.h"
#include "tables.h"

/// [methods]
static const struct tables strassen = {{&strassen_scheme}};
static const struct tables winograd = {{&winograd_scheme}};
static const struct tables dps = {{&dps_scheme}};
/* The outermost level by one table, all below it by another. */
static const struct tables dps_over_strassen = {{&dps_scheme, &strassen_scheme}};
/// [methods]

static void multiply_strassen(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    multiply_by_tables(ctx, p, levels, workspace, &strassen);
}

static void multiply_winograd(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    multiply_by_tables(ctx, p, levels, workspace, &winograd);
}

static void multiply_dps(const struct context *ctx, struct product p, int levels,
                         real *workspace)
{
    multiply_by_tables(ctx, p, levels, workspace, &dps);
}

static void multiply_dps_over_strassen(const struct context *ctx, struct product p, int levels,
                                       real *workspace)
{
    multiply_by_tables(ctx, p, levels, workspace, &dps_over_strassen);
}

/* The same for every table of seven products of halves. */
static size_t workspace_of_halves(const struct context *ctx, struct product p, int levels)
{
    return tables_workspace(ctx, p, levels, &strassen);
}

static int no_levels(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p, (void)levels;
    return 0;
}

static void multiply_classical(const struct context *ctx, struct product p, int levels,
                               real *workspace)
{
    (void)levels;
    multiply_by_tables(ctx, p, 0, workspace, &strassen);
}

static size_t workspace_classical(const struct context *ctx, struct product p, int levels)
{
    (void)levels;
    return tables_workspace(ctx, p, 0, &strassen);
}

static const struct variant variants[] = {
    {.name = "classical",
     .sentence = "the leaf alone, without levels",
     .multiply = multiply_classical,
     .workspace = workspace_classical,
     .levels = no_levels},
    {.name = "strassen",
     .sentence = "Strassen's table",
     .multiply = multiply_strassen,
     .workspace = workspace_of_halves,
     .cost = model_strassen_flops,
     .bound = {.kind = BOUND_STRASSEN}},
    {.name = "winograd",
     .sentence = "Winograd's table",
     .multiply = multiply_winograd,
     .workspace = workspace_of_halves,
     .bound = {.kind = BOUND_WINOGRAD}},
    {.name = "dps",
     .sentence = "the table of Dumas, Pernet and Sedoglavic with powers of two",
     .multiply = multiply_dps,
     .workspace = workspace_of_halves,
     .bound = {.kind = BOUND_DPS}},
    {.name = "dps-strassen",
     .sentence = "the outermost level by the table of dps, those below by Strassen's",
     .multiply = multiply_dps_over_strassen,
     .workspace = workspace_of_halves,
     .bound = {.kind = BOUND_DPS}},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "packed",
     .sentence = "step 02's packed kernel",
     .multiply = multiply_packed,
     .workspace = workspace_packed},
    {.name = "openblas",
     .sentence = "OpenBLAS",
     .multiply = multiply_openblas,
     .missing = openblas_missing},
    {0},
};

static const struct action actions[] = {
    {.name = "tables",
     .help = "check every table, and print what follows from it",
     .run = print_tables,
     .heeds = ""},
#ifdef LADDER_F32
    {.name = "errors",
     .help =
         "the mean error of every variant, with 1 to 4 levels, divided by the classical one",
     .run = measure_errors,
     .json = 1,
     .heeds = "n,variant,seed,leaf,copies"},
#endif
    {0},
};

static const struct setting settings[] = {
    {.name = "copies",
     .argument = "C",
     .help = "symmetric copies of the tables: an octal digit a level, the lowest the outermost",
     .max = 262143},
    {0},
};

const struct step STEP = {
    .name = "24-accurate",
    .idea = "methods as tables of numbers, and seven products with a fifth of Winograd's error",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 1024,
    .default_tau1 = 512,
    .note = packed_note,
};
