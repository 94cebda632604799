/* SPDX-License-Identifier: MIT */
/** @file math_modes.cu
 * The products of this step as math modes of step 20's library. A mode is used only if the
 * caller asked for it: see ladder_gemm_set_math_mode().
 */
#include <math.h>

#include "steps/21-tensor-cores/products/product.h"
#include "steps/20-library/methods.h"

/* A grid's second dimension counts the lines of a factor, LINES_A_BLOCK = 32 per thread block,
   up to the end of the last tile. So whole tiles of A and of B, of 256 and 192 lines, must fit.
 */
enum {
    LINES = 65535 * 32,
    BOTH_TILES = 3 * CLUSTER * TILE_M,
    LONGEST_EDGE = LINES / BOTH_TILES * BOTH_TILES,
    LAUNCHES = 8 /* of kernels in a product, on average: 5 without levels, 11 with them */
};
static_assert((int)BOTH_TILES % TILE_N == 0, "whole tiles of B, too");

static void load(const struct context *ctx)
{
    load_exponents(ctx), load_factors(ctx), load_join(ctx);
    load_leaf(ctx);
}

/* Each factor is read, a long one twice, its halves or bytes are written and read, and so is C
   in parts; with levels, all products' factors and C's products. */
static double moved(int levels)
{
    double grown = pow(7.0 / 4, levels);
    return levels ? (5 + 4 * grown) * grown : 9;
}

extern "C" const struct method ladder_fp16 = {
    .name = "fp16",
    .most = TENSOR_LEVELS,
    .math = LADDER_GEMM_TENSOR,
    .mode = "tensor",
    .letter = 't',
    .settings = 1 << 1 | 1 << 3 | 1 << 4,
    .speed = 4,
    .longest_edge = LONGEST_EDGE,
    .least_terms = 2048,
    .missing = leaf_missing,
    .functions = {fp16, workspace_fp16},
    .load = load,
    .prepared = {prepared_bytes, prepare_right, prepared_workspace, multiply_prepared},
    .moved = moved,
    .launches = LAUNCHES,
};
extern "C" const struct method ladder_int8 = {
    .name = "int8",
    .most = 1,
    .math = LADDER_GEMM_TENSOR_FAST,
    .mode = "tensor-fast",
    .letter = 'f',
    .settings = 1 << 2,
    .speed = 6,
    .longest_edge = LONGEST_EDGE,
    .missing = leaf_missing,
    .functions = {int8, workspace_int8},
    .load = load,
    .prepared = {prepared_bytes, prepare_right, prepared_workspace, multiply_prepared},
    .moved = moved,
    .launches = LAUNCHES,
};
