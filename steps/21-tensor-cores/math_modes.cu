/**
 * @file math_modes.cu
 * The products of this step as methods of step 20's library, for its math modes. Only what is
 * asked for is ever used: see ladder_gemm_set_math_mode().
 */
#include "product.h"
#include "steps/20-library/ladder_gemm.h"
#include "steps/20-library/gemm_context.cuh"

/* Lines of a factor lie along a grid's second dimension, LINES_A_BLOCK = 32 in a thread block,
   up to the end of the last tile: whole tiles of A and of B, which have 256 and 192 lines, must
   fit. */
enum {
    LINES = 65535 * 32,
    BOTH_TILES = 3 * CLUSTER * TILE_M,
    LONGEST_EDGE = LINES / BOTH_TILES * BOTH_TILES
};
static_assert((int)BOTH_TILES % TILE_N == 0, "whole tiles of B, too");

/// [methods]
static size_t elements(long m, long n, long k, int levels, enum format format)
{
    struct problem p = {m, n, k};
    return batch_elements(&p, format, levels);
}

static void multiply(const struct gemm_context *w, const struct problem *p, void *workspace,
                     enum format format)
{
    struct gpu_context x = context_for(w);
    multiply_tensor(&x, p, format, LEAF_FASTEST, p->levels, 0, workspace);
}

static size_t elements_halves(long m, long n, long k, int levels)
{
    return elements(m, n, k, levels, FORMAT_TWO_HALVES);
}

static void method_of_halves(const struct gemm_context *w, const struct problem *p,
                             void *workspace)
{
    multiply(w, p, workspace, FORMAT_TWO_HALVES);
}

static size_t elements_bytes(long m, long n, long k, int levels)
{
    return elements(m, n, k, levels, FORMAT_HALF_AND_BYTES);
}

static void method_of_bytes(const struct gemm_context *w, const struct problem *p,
                            void *workspace)
{
    multiply(w, p, workspace, FORMAT_HALF_AND_BYTES);
}
/// [methods]

static void load(const struct gemm_context *w)
{
    struct gpu_context x = context_for(w);
    load_exponents(&x), load_factors(&x), load_join(&x);
    load_leaf(&x);
}

extern "C" const struct method ladder_fp16 = {"fp16",
                                              0,
                                              TENSOR_LEVELS,
                                              0,
                                              false,
                                              0,
                                              LADDER_GEMM_TENSOR,
                                              4,
                                              LONGEST_EDGE,
                                              leaf_missing,
                                              elements_halves,
                                              method_of_halves,
                                              load};
extern "C" const struct method ladder_int8 = {"int8",
                                              0,
                                              1,
                                              0,
                                              false,
                                              0,
                                              LADDER_GEMM_TENSOR_FAST,
                                              6,
                                              LONGEST_EDGE,
                                              leaf_missing,
                                              elements_bytes,
                                              method_of_bytes,
                                              load};
