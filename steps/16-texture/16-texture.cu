/* SPDX-License-Identifier: MIT */
/** @file 16-texture.cu
 * tStrassen and tWinograd (Li et al. (2011), section 8.1): where GPU8 runs, a factor is read
 * through a texture.
 */
#include "steps/12-strassen-one-level/one-level.cuh"
#include "steps/14-strassen-multilevel/multilevel.h"
#include "steps/15-winograd-multilevel/winograd.h"
#include "texture.cuh"

/// [blocked]
/* C = A * B by GPU8, in strips of A's rows and of B's rows that fit into a texture each. */
static void mul_blocked(const struct context *ctx, struct product p)
{
    long strip_m = rows_that_fit(ctx, p.a, LEFT, 4, GPU8_M);
    long strip_k = rows_that_fit(ctx, p.b, RIGHT, 1, GPU8_K);
    for (long i = 0; i < p.a.rows; i += strip_m)
        for (long l = 0; l < p.a.cols; l += strip_k) {
            long rows = p.a.rows - i < strip_m ? p.a.rows - i : strip_m;
            long depth = p.a.cols - l < strip_k ? p.a.cols - l : strip_k;
            struct block left = part(p.a, i, l, rows, depth);
            struct block right = part(p.b, l, 0, depth, p.b.cols);
            struct block result = part(p.c, i, 0, rows, p.c.cols);
            if (l == 0)
                mul<by_texture>(ctx, left, right, result);
            else
                mulAdd<by_texture>(ctx, left, right, result, result);
        }
}
/// [blocked]

static void multiply_gpu8_textured(const struct context *ctx, struct product p, int, real *)
{
    mul<by_texture>(ctx, p.a, p.b, p.c);
}

static const struct fused_kernels textured_kernels = kernels_that_read<by_texture>();

static const struct leaf textured_leaf = {
    .name = "gpu8", .multiply = multiply_gpu8_textured, .kernels = &textured_kernels};

/* Runs a method, or GPU8 where there is nothing to recurse, with these sides as textures. */
template <multiplication *method, int sides>
static void multiply_textured(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    struct context below = with_sides(ctx, sides);
    below.leaf = &textured_leaf;
    if (levels == 0)
        mul_blocked(&below, p);
    else
        method(&below, p, levels, workspace);
}

/// [model]
/* What textures take off the model of the method without them: of the mnk of each leaf, 1/4096
   transactions of 128 bytes for A and 1/256 of 64 for B: 8 and 16 threads, which fetch a texel
   each now. Strips are not modelled. */
template <struct cost (*without)(const struct context *, struct product, int), int sides>
static struct cost cost_textured(const struct context *ctx, struct product p, int levels)
{
    struct cost cost = without(ctx, p, levels);
    double mnk = (double)p.c.rows * (double)p.c.cols * (double)p.a.cols;
    for (int level = 0; level < levels; level++)
        mnk *= 7 / 8.0;
    double left = sides & LEFT ? mnk / 4096 : 0, right = sides & RIGHT ? mnk / 256 : 0;
    if (ctx->settings[SET_TEXEL_LIMIT] || cost.transactions < 0) {
        cost.transactions = cost.volume = -1;
        return cost;
    }
    cost.transactions -= left + right;
    cost.volume -= left * 128 + right * 64;
    cost.texture_fetches = 8 * left + 16 * right;
    cost.texture_bytes = 8 * left * 16 + 16 * right * 4;
    return cost;
}
/// [model]

/* Rows for the methods of steps 14 and 15 with these factors through textures. */
template <int factors>
static constexpr struct variant strassen_row(const char *name, const char *sentence)
{
    return {.name = name,
            .sentence = sentence,
            .multiply = multiply_textured<strassen, factors>,
            .workspace = workspace_strassen,
            .cost = cost_textured<cost_strassen, factors>,
            .bound = {.scheme = &strassen_scheme},
            .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}};
}

template <int factors>
static constexpr struct variant winograd_row(const char *name, const char *sentence)
{
    return {.name = name,
            .sentence = sentence,
            .multiply = multiply_textured<winograd, factors>,
            .workspace = workspace_winograd,
            .cost = cost_textured<cost_winograd, factors>,
            .bound = {.scheme = &winograd_scheme},
            .shapes = {.pad_m = GPU8_M, .pad_n = GPU8_N, .pad_k = GPU8_K}};
}

static const struct variant variants[] = {
    strassen_row<0>("strassen", "step 14, without textures"),
    strassen_row<LEFT>("tstrassen", "the left factor through a texture"),
    winograd_row<0>("winograd", "step 15, without textures"),
    winograd_row<LEFT>("twinograd", "the left factor through a texture"),
    winograd_row<RIGHT>("twinograd-b", "the right factor through a texture"),
    winograd_row<LEFT + RIGHT>("twinograd-ab", "both through textures"),
    {0},
};

static const struct leaf leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .simple = multiply_by_gpu8,
     .kernels = &gpu8_kernels},
    {0},
};

static const struct setting settings[] = {
    {.name = "texel-limit",
     .argument = "N",
     .help = "largest number of texels in a texture; 0: the device's limit",
     .max = 1L << 30},
    {0},
};

const struct step STEP = {
    .name = "16-texture",
    .idea = "GPU8's factors through textures: tStrassen and tWinograd",
    .variants = variants,
    .leaves = leaves,
    .settings = settings,
    .default_n = 256,
    .default_tau1 = 1024,
};
