/**
 * @file 18-modern.cu
 * The rungs of modern.cuh as a table.
 */
#include "modern.cuh"

#define ROW(variant_name, text, function, places)                                                  \
    {                                                                                              \
        .name = variant_name, .sentence = text, .multiply = function, .workspace = places,         \
        .cost = model_winograd_flops, .bound = BOUND_WINOGRAD, .multiple_m = 4, .multiple_n = 4,   \
        .multiple_k = 4                                                                            \
    }

static const struct variant variants[] = {
    ROW("plain", "fifteen sums, each a kernel of its own", multiply_plain, workspace_plain),
    ROW("one-pass", "all sums of an operand in one pass over it", multiply_one_pass,
        workspace_one_pass),
    ROW("overlapped", "one-pass, two of the first level's products at a time", multiply_overlapped,
        workspace_overlapped),
#ifdef LADDER_F32
    {.name = "own",
     .sentence = "no levels: the own leaf alone, with its panels",
     .multiply = multiply_own,
     .workspace = workspace_own,
     .levels = no_levels,
     .multiple_m = 4,
     .multiple_n = 4,
     .multiple_k = 4},
#endif
    ROW("batched", "the last level's seven products in one launch of the own leaf",
        multiply_batched, workspace_batched),
    ROW("two-levels", "the last two levels in one pass, their 49 products in one launch",
        multiply_two_levels, workspace_two_levels),
#ifdef LADDER_F32
    ROW("fused", "the innermost level in one kernel without temporaries, above it plain",
        multiply_fused, workspace_fused),
#endif
    ROW("beside", "the next problem's sums beside the multiplications", multiply_beside,
        workspace_beside),
    {0},
};

static const struct variant leaves[] = {
    {.name = "cublas",
     .sentence = "cublasSgemm or cublasDgemm, where the own leaf is not part of the variant",
     .multiply = multiply_cublas},
    {0},
};

#include "rungs.cuh"

static const struct action actions[] = {
    {"rungs", "time every rung at the levels that suit it, from n = 1024 to 32768", measure_rungs},
    {0},
};

const struct step STEP = {
    .name = "18-modern",
    .idea = "what a modern GPU asks for: fewer passes, full waves, an own leaf",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 256,
    .default_tau1 = 1024,
    .parameter = "beside",
    .parameter_help =
        "blocks that a kernel of sums may have beside the multiplications; 0: no limit; f64: 44",
    .parameter_min = 0,
    .parameter_max = 1000000,
#ifdef LADDER_F32
    .parameter_default = 264,
#else
    .parameter_default = 44,
#endif
};
