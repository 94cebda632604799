/* SPDX-License-Identifier: MIT */
/** @file 21-tensor-cores.cu
 * Float products on tensor cores: the error of one product of rounded factors, a float's
 * accuracy with three such products, and Strassen's method above them.
 */
#include <math.h>

#include "steps/21-tensor-cores/products/strips.h"
#include "common/command/options.h"
#include "steps/21-tensor-cores/products/product.h"
#include "steps/21-tensor-cores/products/split.h"
#include "steps/18-modern/context.cuh"

/* --levels counts up to two; a third level's factors would not fit in a thread's registers. */
static int levels_given(const struct context *, struct product, int levels)
{
    return levels > TENSOR_LEVELS ? TENSOR_LEVELS : levels;
}

/* The fastest levels for the size on an H200 (docs/results/h200/21-gpu.jsonl) and on an H100. A
   level pays when an eighth of the products takes longer than the additional passes over
   memory: with three products of halves from 16384 on, a second one at 32768. */
static int levels_accurate(const struct context *, struct product p, int)
{
    double size = cbrt((double)p.c.rows * p.c.cols * p.a.cols);
    return size >= 24576 ? 2 : size >= 12288 ? 1 : 0;
}

/* With bytes each level multiplies the error by 2.5. So one level is used where the error stays
   below three times cublasSgemm's, and never two, although two were the fastest at 32768. */
static int levels_fast(const struct context *, struct product p, int)
{
    return cbrt((double)p.c.rows * p.c.cols * p.a.cols) >= 24576;
}

static int no_levels(const struct context *, struct product, int) { return 0; }

static void fp16_mma(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_tensor(ctx, p, levels, workspace, FORMAT_TWO_HALVES, LEAF_MMA);
}

static void int8_mma(const struct context *ctx, struct product p, int levels, real *workspace)
{
    multiply_tensor(ctx, p, levels, workspace, FORMAT_HALF_AND_BYTES, LEAF_MMA);
}

/* ---- Sums overlapped with products ---- */

static size_t workspace_fp16_beside(const struct context *, struct product p, int levels)
{
    return strips_elements(p, levels);
}

/* One level is fastest with its sums overlapped with the products. With two levels the sums
   would not be ready in time, and without levels there is little to hide. */
static void multiply_accurate(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    if (levels == 1)
        in_program<multiply_in_strips>(ctx, p, levels, workspace);
    else
        in_program<fp16>(ctx, p, levels, workspace);
}

static size_t workspace_accurate(const struct context *ctx, struct product p, int levels)
{
    return levels == 1 ? workspace_fp16_beside(ctx, p, levels) : workspace_fp16(ctx, p, levels);
}

/* A row of the table. `error` is what splitting adds to the error of one term; the blocks of a
   level begin at multiples of `of_m` and `of_nk` elements. */
static constexpr struct variant
row(const char *name, const char *sentence, multiplication *multiply,
    size_t (*workspace)(const struct context *ctx, struct product p, int levels), double error,
    int (*levels)(const struct context *ctx, struct product p, int levels), long of_m = 4,
    long of_nk = 4)
{
    struct variant v = {};
    v.name = name, v.sentence = sentence, v.multiply = multiply, v.workspace = workspace;
    v.bound.scheme = &strassen_scheme, v.bound.split = error;
    v.levels = levels;
    v.shapes.pad_m = of_m, v.shapes.pad_n = v.shapes.pad_k = of_nk;
    return v;
}
static const double HALVES = 0x1p-22, BYTES = 0x1p-16;

static const struct variant variants[] = {
    {.name = "tf32",
     .sentence = "one product of TF32 (11 bits) by cuBLAS",
     .simple = multiply_tf32,
     .bound = {&strassen_scheme, 0x1p-10},
     .levels = no_levels},
    row("fp16x3", "three products of FP16 by cuBLAS, each row and column scaled",
        multiply_fp16x3, workspace_fp16x3, HALVES, no_levels, 4, 4),
    row("fp16",
        "sums, scaling and splitting in one pass; one kernel multiplies hi and lo as halves",
        in_program<fp16>, workspace_fp16, HALVES, levels_given),
    row("int8", "the same, hi hi as halves and hi lo + lo hi as bytes, which are twice as fast",
        in_program<int8>, workspace_int8, BYTES, levels_given),
    row("fp16-mma",
        "the same as fp16 by mma.sync, as GPUs from compute capability 8.0 on have it",
        in_program<fp16_mma>, workspace_fp16, HALVES, levels_given),
    row("int8-mma",
        "the same as int8 by mma.sync, as GPUs from compute capability 8.0 on have it",
        in_program<int8_mma>, workspace_int8, BYTES, levels_given),
    row("fp16-beside", "fp16 in strips of rows, the sums of the next one during products",
        in_program<multiply_in_strips>, workspace_fp16_beside, HALVES, levels_given),
    row("accurate",
        "fp16 or fp16-beside, levels by size; errors below cublasSgemm's if elements "
        "are of like size",
        multiply_accurate, workspace_accurate, HALVES, levels_accurate),
    row("fast", "int8 with the levels that suit the size", in_program<int8>, workspace_int8,
        BYTES, levels_fast),
    {0},
};

/* The leaves that --find-threshold and the runner compare a level with. */
static const struct leaf leaves[] = {{.name = "fp16x3",
                                      .sentence = "three products of FP16 by cuBLAS",
                                      .multiply = multiply_fp16x3},
                                     {0}};

static const struct action actions[] = {
    {.name = "rungs",
     .help =
         "time every rung on this GPU against cublasSgemm, with errors against a more exact "
         "product",
     .run = measure_tensor_rungs,
     .json = 1,
     .heeds = "n,m,k,variant,promote,data"},
    {0},
};

static const struct setting settings[] = {
    {.name = "promote",
     .argument = "N",
     .help = "terms of k after which a partial sum is added in float; 0: the variant's own",
     .max = 1 << 20},
    {.name = "data",
     .argument = "K",
     .help = "with --rungs: 0 uniform in [-1, 1], 1 in [0, 1], 2 normal, 3 ReLU, 4 softmax, 5 "
             "mostly positive, 6 NaNs in A",
     .max = 6},
    {0},
};

const struct step STEP = {
    .name = "21-tensor-cores",
    .idea = "float-accurate products on tensor cores, and Strassen above them",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 512,
    .default_tau1 = 8192,
};
