/* SPDX-License-Identifier: MIT */
/** @file 24-accurate.c
 * Methods as tables of coefficients, and one that loses less accuracy than Strassen's.
 */
#include "common/device/libraries/vendor.h"
#include "common/model.h"
#include "steps/02-cpu-blocked/packed.h"
#include "steps/24-accurate/schemes/models.h"
#include "tables.h"

static int no_levels(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p, (void)levels;
    return 0;
}

static const struct variant variants[] = {
    {.name = "classical",
     .sentence = "the leaf alone, without levels",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = no_levels},
    {.name = "strassen",
     .sentence = "Strassen's table",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .cost = model_strassen_flops,
     .bound = {.scheme = &strassen_scheme}},
    {.name = "winograd",
     .sentence = "Winograd's table",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &winograd_scheme}},
    {.name = "dps",
     .sentence = "the table of Dumas, Pernet and Sedoglavic with powers of two",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &dps_scheme}},
    {.name = "dps-strassen",
     .sentence = "the outermost level by the table of dps, those below by Strassen's",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &dps_scheme}},
    {.name = "dps-basis",
     .sentence = "the table of dps with a third of the sums, in another basis",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &dps_basis_scheme}},
    {.name = "laderman",
     .sentence = "Laderman's table: 23 products of thirds",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &laderman_scheme}},
    {.name = "dps-48",
     .sentence = "48 products of quarters, by Dumas, Pernet and Sedoglavic",
     .multiply = multiply_by_tables,
     .workspace = tables_workspace,
     .levels = tables_levels,
     .bound = {.scheme = &dps_48_scheme}},
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
     .help = "the mean error of every variant divided by the classical one, by levels",
     .run = measure_errors,
     .json = 1,
     .heeds = "n,levels,variant,seed,leaf,copies"},
#endif
    {0},
};

static const struct setting settings[] = {
    {.name = "copies",
     .argument = "C",
     .help = "symmetric copies of the tables: this number's digits in base 8, one per level, "
             "the lowest for the outermost",
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
