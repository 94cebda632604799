/* SPDX-License-Identifier: MIT */
/** @file 19-own-leaf.cu
 * Winograd's variant over a hand-written leaf that reads packed panels.
 */
#include "beside.cuh"
#include "common/device/timer.h"
#include "steps/18-modern/context.cuh"
#include "steps/18-modern/rungs/gpu_rungs.h"
#ifdef LADDER_F32
static int no_levels(const struct context *, struct product, int) { return 0; }
#endif

static const struct variant variants[] = {
#ifdef LADDER_F32
    {.name = "own",
     .sentence = "no levels: the hand-written leaf alone, with its panels",
     .multiply = in_program<own>,
     .workspace = workspace_own,
     .levels = no_levels,
     .shapes = {.pad_m = 4, .pad_n = 4, .pad_k = 4}},
#endif
    method_row("batched", "the last level's seven products in one launch of the leaf",
               in_program<batched>, workspace_batched),
    method_row("two-levels", "the last two levels in one pass, their 49 products in one launch",
               in_program<two_levels>, workspace_two_levels),
    method_row("beside", "the next problem's sums during the multiplications",
               in_program<beside>, workspace_beside),
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas",
     .sentence =
         "cublasSgemm or cublasDgemm, where the hand-written leaf is no part of the variant",
     .multiply = multiply_cublas},
    {0},
};

static int one_last(int levels) { return last_levels(levels, BATCHED); }

static int two_last(int levels) { return last_levels(levels, TWO_LEVELS); }

static const struct gpu_rung rungs[] = {
#ifdef LADDER_F32
    {.variant = "own", .largest = 16384, .least = 1, .most = 16384, .in_panels = one_last},
#endif
    {.variant = "batched",
     .largest = 16384,
     .least = 1024,
     .most = 2048,
     .upper_quadrants = 27,
     .in_panels = one_last},
    {.variant = "two-levels",
     .largest = 16384,
     .least = 512,
     .most = 4096,
     .upper_quadrants = 27,
     .in_panels = two_last},
    {.variant = "beside",
     .largest = 32768,
     .least = 512,
     .most = 4096,
     .upper_quadrants = 27,
     .in_panels = last_levels_beside,
     .beside = true},
    {0},
};

/* The leaf that reads panels, as a contestant of time_in_turn(). */
struct panel_run {
    const struct context *ctx;
    struct last last;
};

static double time_panels(void *what)
{
    struct panel_run *run = (struct panel_run *)what;
    backend.start();
    multiply_last_levels(run->ctx, &run->last, 0);
    return backend.stop();
}

/* The leaf's rate on panels of a size that fills the GPU, in flops a millisecond. */
static double panel_flops(const struct context *ctx, struct product p)
{
    struct context program = program_context(ctx, NULL);
    real *workspace =
        (real *)backend.allocate(in_panels_elements(p, 0, TWO_LEVELS) * sizeof(real));
    if (!workspace)
        return 1;
    struct panel_run run = {&program, begin_last_levels(&program, p, 0, workspace)};
    struct contestant contestant = {time_panels, &run};
    warm_up_in_turn(&contestant, 1, 1);
    time_in_turn(&contestant, 1, 5);
    backend.release(workspace);
    return 2.0 * p.c.rows * p.c.cols * p.a.cols / contestant.timing.median;
}

static int measure(const struct options *o) { return measure_gpu_rungs(o, rungs, panel_flops); }

static const struct action actions[] = {
    {.name = "rungs",
     .help = "time every rung at the levels that suit it, from n = 1024 to 32768",
     .run = measure,
     .json = 1,
     .heeds = "variant,leaf,beside"},
    {0},
};

static const struct setting settings[] = {
    {.name = "beside",
     .argument = "N",
     .help = "most blocks of a kernel of sums during multiplications; 0: no limit; "
             "f64: 44",
     .max = 1000000,
     .standard = sizeof(real) == 4 ? 264 : 44},
    {0},
};

const struct step STEP = {
    .name = "19-own-leaf",
    .idea = "a hand-written leaf over packed panels, 49 products in one launch, sums at the "
            "same time",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 256,
    .default_tau1 = 1024,
};
