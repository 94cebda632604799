/* SPDX-License-Identifier: MIT */
/** @file 23-exact.cu
 * Multiplication in double, or in float, by exact multiplications of bytes modulo small
 * numbers, and Strassen's method above them, which costs no accuracy here.
 */
#include <math.h>

#include "exact_batch.h"
#include "common/command/options.h"
#include "steps/18-modern/context.cuh"
#include "steps/21-tensor-cores/leaf/tile_order.cuh"

/* --levels counts up to two. */
static int levels_given(const struct context *, struct product, int levels)
{
    return levels > EXACT_LEVELS ? (int)EXACT_LEVELS : levels;
}

/* The fastest levels for the size on an H200, within 1 % (23-gpu.jsonl and, for floats,
   23-floats.jsonl in docs/results/h200). */
static int levels_by_size(const struct context *, struct product p, int)
{
    double size = cbrt((double)p.c.rows * p.c.cols * p.a.cols);
    return (size >= 12288) + (IS_FLOAT && size >= 16384);
}

/* ---- The methods: --moduli may ask for another number of moduli, --safe for the safe mode */

static struct exact_plan plan_for(const struct context *ctx, int levels, int moduli,
                                  enum exact_leaf leaf, bool safe)
{
    return {levels, moduli_asked(ctx, moduli),       (int)ctx->settings[SET_GROUPS],
            leaf,   safe || ctx->settings[SET_SAFE], IS_FLOAT};
}

template <int moduli, enum exact_leaf leaf, bool safe = false>
static void multiply_by_residues(const struct context *ctx, struct product p, int levels,
                                 real *workspace)
{
    struct context program = program_context(ctx, NULL);
    multiply_exact(&program, p, plan_for(ctx, levels, moduli, leaf, safe), workspace);
}

template <int moduli, enum exact_leaf leaf, bool safe = false>
static size_t workspace_for_bytes(const struct context *ctx, struct product p, int levels)
{
    return exact_batch_bytes(p, plan_for(ctx, levels, moduli, leaf, safe)) / sizeof(real);
}

/* On --gpus GPUs. */
static void multiply_shared_moduli(const struct context *ctx, struct product p, int levels,
                                   real *workspace)
{
    struct context program = program_context(ctx, NULL);
    multiply_exact_on_gpus(&program, p, plan_for(ctx, levels, MODULI_USUAL, EXACT_FUSED, false),
                           gpus_asked(ctx), workspace);
}

static size_t workspace_shared_moduli(const struct context *ctx, struct product p, int levels)
{
    return exact_on_gpus_bytes(p, plan_for(ctx, levels, MODULI_USUAL, EXACT_FUSED, false),
                               gpus_asked(ctx)) /
           sizeof(real);
}

/* ---- Memory traffic of the passes under the rules of compute capability 1.3 ---- */

static void add_accesses(struct cost *sum, double transactions, double bytes_each)
{
    sum->transactions += transactions, sum->volume += transactions * bytes_each;
}

/* The traffic of one half-warp in each pass, times the number of half-warps, on the simulated
   GPU, with the product by mma.sync. (How often blocks of the product by wgmma look at each
   other's progress depends on their order.) Assumes aligned rows of A, B and C, and blocks of
   whole half-warps. */
static struct cost count_passes(struct product p, int levels, int moduli, int groups)
{
    long padded = round_up(p.a.cols >> levels, LINE_BYTES), rows = p.c.rows >> levels,
         cols = p.c.cols >> levels, wide = round_up(cols, RIGHT_LINES), tile = MMA_TILE;
    double m = p.c.rows, n = p.c.cols, k = p.a.cols, across = 1 << levels,
           products = (double)moduli * products_of(levels),
           lines = (double)(round_up(rows, LEFT_LINES * TILES_TOGETHER) + wide),
           tiles = (double)pieces_of(rows, tile) * (double)wide / tile,
           strips = pieces_of(p.a.cols, 256),
           readings = pieces_of(moduli, pieces_of(moduli, groups)),
           sums = (moduli > MODULI_EXACT ? 16 : 14) * pow(12, levels),
           words = (double)wide / 64;
    struct cost sum = {.flops = 2 * m * n * k, .in_f64 = 1};
    if (IS_FLOAT || p.c.rows % (16 << levels) || p.c.cols % (32 << levels) ||
        p.a.cols % (16 << levels) || padded > TERMS_IN_A_SUM - 2 * LINE_BYTES || k > 1024) {
        sum.transactions = sum.volume = -1;
        return sum;
    }
    add_accesses(&sum, (m * k + k * n) / 16, 128); /* exponents: A and B, */
    add_accesses(&sum, m, 32);                     /* one for each row; */
    add_accesses(&sum, 5 * strips * n / 16, 128);  /* B's maxima, atomically, and norms; */
    add_accesses(&sum, 4 * strips * n / 16, 64);   /* how many numbers, and exponents */
    add_accesses(&sum, n / 16, 128), add_accesses(&sum, 2 * n / 16, 64);
    double together = levels == 2 ? 4 : 8;          /* lines of B that a half-warp reads */
    add_accesses(&sum, readings * m * k / 16, 128); /* residues: A, */
    add_accesses(&sum, readings * k * n / together, together * 8); /* B, */
    add_accesses(&sum, readings * (m * k + k * n) / 16, 32);       /* the exponents, */
    add_accesses(&sum, products * lines * padded / 64, 64);        /* and the bytes */
    add_accesses(&sum, products * tiles * 2 * padded, 128); /* products: slices of both */
    add_accesses(&sum, products * tiles * tile * 8, 128);   /* factors, and residues */
    add_accesses(&sum, sums * m / across * words, 64);      /* C: bytes, */
    add_accesses(&sum, m * n / 2, 128);                     /* exponents of columns */
    add_accesses(&sum, 2 * m * across * words, 32);         /* and rows, */
    add_accesses(&sum, m * n / 2, 32);                      /* and C */
    add_accesses(&sum, (m + n) / 16, 64);                   /* repair finds nothing to do */
    add_accesses(&sum, 2 * pieces_of(p.c.cols, 32) * smaller(pieces_of(p.c.rows, 8), 8) * 16,
                 32);
    return sum;
}

static struct cost cost_of_passes(const struct context *ctx, struct product p, int levels)
{
    return count_passes(p, levels, moduli_asked(ctx, MODULI_USUAL),
                        (int)larger(1, ctx->settings[SET_GROUPS]));
}

/* The bound of the triple loop, with any levels. `split` informs the checker that factors are
   rounded; with 14 moduli or more the bound already covers the error of that rounding, see the
   chapter. */
static constexpr double WITHIN_CLASSICAL = 0x1p-70;

template <int moduli, enum exact_leaf leaf = EXACT_FUSED, bool safe = false>
static constexpr struct variant
row_of(const char *name, const char *sentence, double split,
       int (*levels)(const struct context *, struct product, int),
       struct cost (*cost)(const struct context *, struct product, int) = NULL)
{
    return {.name = name,
            .sentence = sentence,
            .multiply = multiply_by_residues<moduli, leaf, safe>,
            .workspace = workspace_for_bytes<moduli, leaf, safe>,
            .cost = cost,
            .bound = {.split = split},
            .levels = levels};
}

static const struct variant variants[] = {
    {.name = "residues-plain",
     .sentence = "the method in plain C on the processor: the same bits",
     .multiply = residues_plain,
     .bound = {.split = WITHIN_CLASSICAL},
     .levels = levels_given,
     .role = BY_NAME},
    row_of<MODULI_USUAL, EXACT_CUBLAS>(
        "residues-cublas", "bytes multiplied by cuBLAS, whose sums a pass reduces modulo p",
        WITHIN_CLASSICAL, levels_given),
    row_of<MODULI_USUAL>("residues",
                         "a hand-written product that reduces its sums and writes bytes",
                         WITHIN_CLASSICAL, levels_given),
    row_of<MODULI_USUAL, EXACT_MMA>(
        "residues-mma", "the same by mma.sync, as GPUs from compute capability 8.0 on have it",
        WITHIN_CLASSICAL, levels_given, cost_of_passes),
#ifdef LADDER_F64
    row_of<MODULI_FEWER>("fewer", "13 moduli: faster, an error 14 times as large", 0x1p-46,
                         levels_by_size),
#endif
    row_of<MODULI_USUAL>(IS_FLOAT ? "reproducible" : "exact",
                         IS_FLOAT ? "7 moduli: the same bits on every GPU; levels by size"
                                  : "14 moduli: errors like cublasDgemm's; levels by size",
                         WITHIN_CLASSICAL, levels_by_size),
#ifdef LADDER_F64
    row_of<MODULI_MORE>("more", "16 moduli: most elements correctly rounded", WITHIN_CLASSICAL,
                        levels_by_size),
    row_of<MODULI_EXACT, EXACT_FUSED, true>(
        "safe", "exact, but elements of lines with a wide span are sums of doubles",
        WITHIN_CLASSICAL, levels_by_size),
#endif
    {.name = "shared-moduli",
     .sentence = "residues, with the moduli shared among --gpus GPUs: the same bits",
     .multiply = multiply_shared_moduli,
     .workspace = workspace_shared_moduli,
     .bound = {.split = WITHIN_CLASSICAL},
     .levels = levels_given,
     .role = BY_NAME},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas",
     .sentence = IS_FLOAT ? "cuBLAS: cublasSgemm" : "cuBLAS: cublasDgemm",
     .multiply = multiply_cublas},
    {0}};

static const struct action actions[] = {
    {.name = "rungs",
     .help =
         "time every rung on this GPU against cuBLAS, with errors against a more exact product",
     .run = measure_exact_rungs,
     .json = 1,
     .heeds = "n,m,k,variant,moduli,groups,data,gpus"},
    {0},
};

static const struct setting settings[] = {
    {.name = "moduli",
     .argument = "N",
     .help = "the number of moduli, up to 16, or 7 for floats; 0: the variant's own",
     .max = IS_FLOAT ? MODULI_FLOAT : MODULI_MOST},
    {.name = "groups",
     .argument = "G",
     .help = "multiply the moduli in G groups, which takes less memory; 0: by the GPU's memory",
     .max = MODULI_MOST},
    {.name = "data",
     .argument = "K",
     .help = "with --rungs: 0 uniform in [-1, 1], 1 normal, 2 doubles over 400 binades",
     .max = IS_FLOAT ? 1 : 2},
    {.name = "gpus",
     .argument = "N",
     .help = "with --variant shared-moduli, and with --rungs: share the moduli among N GPUs",
     .min = 1,
     .max = MODULI_MOST,
     .standard = 1},
    {.name = "safe",
     .help = "elements that rounding could change too much are sums of doubles",
     .max = !IS_FLOAT},
    {0},
};

const struct step STEP = {
    .name = "23-exact",
    .idea = IS_FLOAT
                ? "floats by exact multiplication of bytes, with Strassen's method modulo p"
                : "double precision by exact multiplication of bytes, with Strassen's "
                  "method modulo p",
    .variants = variants,
    .leaves = leaves,
    .actions = actions,
    .settings = settings,
    .default_n = 256,
    .default_tau1 = 8192,
};
