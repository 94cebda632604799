/* SPDX-License-Identifier: MIT */
/** @file 16-texture.cu
 * tStrassen and tWinograd (Li et al. (2011), section 8.1): where GPU8 runs, a factor is read
 * through a texture.
 */
#include "sgemm.cuh"
#include "steps/12-strassen-one-level/one-level.cuh"
#include "steps/14-strassen-multilevel/multilevel.h"
#include "steps/15-winograd-multilevel/winograd.h"
#include "texture.cuh"

/// [blocked]
/* C = A * B by GPU8, in strips of A's rows and of B's rows that fit into a texture each. */
static void mul_blocked(const struct context *ctx, struct product p)
{
    const struct textured_products *t = (const struct textured_products *)ctx->leaf->products;
    long strip_m = rows_that_fit(t, p.a, LEFT, 4, GPU8_M);
    long strip_k = rows_that_fit(t, p.b, RIGHT, 1, GPU8_K);
    for (long i = 0; i < p.a.rows; i += strip_m)
        for (long l = 0; l < p.a.cols; l += strip_k) {
            long rows = p.a.rows - i < strip_m ? p.a.rows - i : strip_m;
            long depth = p.a.cols - l < strip_k ? p.a.cols - l : strip_k;
            struct block left = part(p.a, i, l, rows, depth);
            struct block right = part(p.b, l, 0, depth, p.b.cols);
            struct block result = part(p.c, i, 0, rows, p.c.cols);
            if (l == 0)
                mul_textured(ctx, left, right, result);
            else
                mulAdd_textured(ctx, left, right, result, result);
        }
}
/// [blocked]

/// [textured]
static void multiply_gpu8_textured(const struct context *ctx, struct product p, int levels,
                                   real *workspace)
{
    mul_textured(ctx, p.a, p.b, p.c);
}

/* Runs `method`, or GPU8 where there is nothing to recurse, with the factors `sides` as
 * textures. */
static void multiply_textured(const struct context *ctx, struct product p, int levels,
                              real *workspace, int sides, multiplication *method)
{
    struct textured_products products =
        textured_products(sides, (size_t)ctx->settings[SET_TEXEL_LIMIT]);
    struct leaf leaf = *ctx->leaf;
    struct context below = *ctx;
    leaf.multiply = multiply_gpu8_textured, leaf.products = &products.launch;
    below.leaf = &leaf;
    if (levels == 0)
        mul_blocked(&below, p);
    else
        method(&below, p, levels, workspace);
}
/// [textured]

/// [model]
/* What textures take off the model: of the mnk of each leaf, 1/4096 transactions of 128 bytes
   for A and 1/256 of 64 for B: 8 and 16 threads, which fetch a texel each now. Strips are not
   modelled. */
static struct cost without(const struct context *ctx, struct product p, int levels,
                           struct cost cost, int sides)
{
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

#define TEXTURED(name, method, sides)                                                          \
    static void multiply_##name(const struct context *ctx, struct product p, int levels,       \
                                real *workspace)                                               \
    {                                                                                          \
        multiply_textured(ctx, p, levels, workspace, sides, method);                           \
    }                                                                                          \
    static struct cost cost_##name(const struct context *ctx, struct product p, int levels)    \
    {                                                                                          \
        return without(ctx, p, levels, cost_##method(ctx, p, levels), sides);                  \
    }
TEXTURED(strassen_none, strassen, 0)
TEXTURED(strassen_a, strassen, LEFT)
TEXTURED(winograd_none, winograd, 0)
TEXTURED(winograd_a, winograd, LEFT)
TEXTURED(winograd_b, winograd, RIGHT)
TEXTURED(winograd_ab, winograd, LEFT + RIGHT)

#define ROW(variant_name, text, function, method, theorem)                                     \
    {                                                                                          \
        .name = variant_name, .sentence = text, .multiply = multiply_##function,               \
        .workspace = workspace_##method, .cost = cost_##function, .bound = {.kind = theorem},  \
        .shapes = {                                                                            \
            .pad_m = GPU8_M,                                                                   \
            .pad_n = GPU8_N,                                                                   \
            .pad_k = GPU8_K                                                                    \
        }                                                                                      \
    }

static const struct variant variants[] = {
    ROW("strassen", "step 14, without textures", strassen_none, strassen, BOUND_STRASSEN),
    ROW("tstrassen", "the left factor through a texture", strassen_a, strassen, BOUND_STRASSEN),
    ROW("winograd", "step 15, without textures", winograd_none, winograd, BOUND_WINOGRAD),
    ROW("twinograd", "the left factor through a texture", winograd_a, winograd, BOUND_WINOGRAD),
    ROW("twinograd-b", "the right factor through a texture", winograd_b, winograd,
        BOUND_WINOGRAD),
    ROW("twinograd-ab", "both through textures", winograd_ab, winograd, BOUND_WINOGRAD),
    {.name = "sgemm",
     .sentence = "step 09's sgemm, to compare the next one with",
     .multiply = multiply_sgemm,
     .cost = model_volkov,
     .levels = no_levels,
     .shapes = {.pad_m = SGEMM_M, .pad_n = SGEMM_N, .pad_k = SGEMM_K},
     .role = BY_NAME},
    {.name = "tsgemm",
     .sentence = "sgemm with A through a texture, in strips that fit",
     .multiply = multiply_tsgemm,
     .cost = cost_tsgemm,
     .levels = no_levels,
     .shapes = {.pad_m = SGEMM_M, .pad_n = SGEMM_N, .pad_k = SGEMM_K},
     .role = BY_NAME},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "gpu8",
     .sentence = "GPU8 of step 10, with sums fused into it",
     .multiply = multiply_by_gpu8,
     .products = &gpu8_products},
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
