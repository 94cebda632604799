/* SPDX-License-Identifier: MIT */
/** @file multilevel.h
 * What step 14 lends to steps 15, 16, 17 and 21: Strassen's method on any number of levels
 * (strassen.cu), and the rest of a program with such a method (peel.cu).
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_H
#define STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_H

#include "common/step.h"

/** Figure 16 of Li et al. (2011), over any leaf. */
void strassen(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_strassen(const struct context *ctx, struct product p, int levels);
struct cost cost_strassen(const struct context *ctx, struct product p, int levels);

/** GPU8 (step 12) as the leaf of such a method, and its products with sums fused into them. */
void multiply_by_gpu8(const struct context *ctx, struct product p, int levels, real *workspace);
extern const struct fused_products gpu8_products;

/** What m, n and k are multiples of where the levels end, GPU8's tile; and a multiple of all
 * three. */
enum { WHOLE_M = 16, WHOLE_N = 128, WHOLE_K = 64, CORE = 128 };

/** A row of a table: `method` on whole tiles, for which the runner pads. */
#define MULTILEVEL_ROW(variant_name, method, text, theorem)                                    \
    {                                                                                          \
        .name = variant_name, .sentence = text, .multiply = method,                            \
        .workspace = workspace_##method, .cost = cost_##method, .bound = {.kind = theorem},    \
        .shapes = {                                                                            \
            .pad_m = WHOLE_M,                                                                  \
            .pad_n = WHOLE_N,                                                                  \
            .pad_k = WHOLE_K                                                                   \
        }                                                                                      \
    }

/** A row for sizes that are not whole tiles: `how` is peeled or either. */
#define PEELING_ROW(method, how, text, theorem)                                                \
    {                                                                                          \
        .name = method "-" #how, .sentence = text, .multiply = multiply_##how,                 \
        .workspace = workspace_##how, .bound = {.kind = theorem}, .levels = levels_##how,      \
        .shapes = {.core = CORE}, .role = BY_NAME                                              \
    }

/** The table of step 14 or 15: the method, the method with its border peeled off, and the
 * cheaper of peeling and padding. */
#define MULTILEVEL_VARIANTS(method, text, theorem)                                             \
    static const struct variant variants[] = {                                                 \
        MULTILEVEL_ROW(#method, method, text, theorem),                                        \
        PEELING_ROW(#method, peeled,                                                           \
                    "the largest part in whole tiles, the border by a kernel of its own",      \
                    theorem),                                                                  \
        PEELING_ROW(#method, either,                                                           \
                    "peeled or padded, whichever has the lower price of --edges", theorem),    \
        {0},                                                                                   \
    }

void multiply_peeled(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_peeled(const struct context *ctx, struct product p, int levels);
int levels_peeled(const struct context *ctx, struct product p, int levels);

void multiply_either(const struct context *ctx, struct product p, int levels, real *workspace);
size_t workspace_either(const struct context *ctx, struct product p, int levels);
int levels_either(const struct context *ctx, struct product p, int levels);

extern const struct leaf multilevel_leaves[];    /**< GPU8, cuBLAS */
extern const struct action multilevel_actions[]; /**< --edges */

#endif
