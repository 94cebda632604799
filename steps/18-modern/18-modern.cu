/* SPDX-License-Identifier: MIT */
/** @file 18-modern.cu
 * Winograd's variant over cuBLAS on a modern GPU: fewer passes, and two products at a time.
 */
#include "modern.cuh"
#include "context.cuh"
#include "steps/18-modern/rungs/gpu_rungs.h"

static const struct variant variants[] = {
    method_row("plain", "fifteen sums, each a separate kernel", over_cublas<plain>,
               workspace_plain),
    method_row("one-pass", "all sums of an operand in one pass over it", over_cublas<one_pass>,
               workspace_one_pass),
    method_row("overlapped", "one-pass, two of the first level's products at a time",
               over_cublas<overlapped>, workspace_overlapped),
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
    {0},
};

static const struct gpu_rung rungs[] = {
    {.variant = "plain", .largest = 32768, .least = 2048, .most = 4096, .upper_quadrants = 45},
    {.variant = "one-pass",
     .largest = 16384,
     .least = 2048,
     .most = 8192,
     .upper_quadrants = 27},
    {.variant = "overlapped",
     .largest = 16384,
     .least = 2048,
     .most = 4096,
     .upper_quadrants = 27},
    {0},
};

static int measure(const struct options *o) { return measure_gpu_rungs(o, rungs, NULL); }

static const struct action actions[] = {
    {.name = "rungs",
     .help = "time every rung at the levels that suit it, from n = 1024 to 32768",
     .run = measure,
     .json = 1,
     .heeds = "variant,leaf"},
    {0},
};

const struct step STEP = {
    .name = "18-modern",
    .idea = "what a modern GPU asks for: fewer passes, and work for all of it",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .default_n = 256,
    .default_tau1 = 1024,
};
