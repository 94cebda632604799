/* SPDX-License-Identifier: MIT */
/** @file model.h
 * What kernels and methods cost by the formulas of the documents: operations, memory
 * transactions, bytes.
 */
#ifndef COMMON_MODEL_H
#define COMMON_MODEL_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @{ */
/** A classical kernel, from a thread for each element to GPU8: flops, device-memory
 * transactions and the bytes they move, by the rules of compute capability 1.3 (Li et al.
 * (2011), section 3), for f32. Where m, n, k are no multiples of the kernel's tiles there is no
 * closed form.
 * @param ctx unused
 * @param p the product that the kernel gets, after padding
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled */
/* A thread per element, neighbouring threads along a row: n^3/8 + n^2/16 transactions, 6n^3 +
   4n^2 bytes. */
struct cost model_naive(const struct context *ctx, struct product p, int levels);
/* 16 x 16 tiles in shared memory: n^3/128 + n^2/16, n^3/2 + 4n^2; 32 x 32 tiles: n^3/256 +
   n^2/16, n^3/4 + 4n^2. */
struct cost model_tile16(const struct context *ctx, struct product p, int levels);
struct cost model_tile32(const struct context *ctx, struct product p, int levels);
/* The sgemm of CUBLAS 3.0 after Volkov and Demmel: 5n^3/1024 + n^2/16, 5n^3/16 + 4n^2. */
struct cost model_volkov(const struct context *ctx, struct product p, int levels);
/* GPU8 (Li et al. (2011), section 4): 17n^3/4096 + n^2/16, 9n^3/32 + 4n^2. */
struct cost model_gpu8(const struct context *ctx, struct product p, int levels);
/** @} */

/** The cost of any such kernel, when m, n, k are multiples of its tile.
 * @param p the product
 * @param tile_m,tile_n,tile_k the tile
 * @param t3,v3 transactions and bytes for each of mnk multiply-adds
 * @param t2,v2 the same for each of mn elements of C
 * @return flops, transactions and bytes; negative: not modelled */
struct cost model_classical(struct product p, long tile_m, long tile_n, long tile_k, double t3,
                            double t2, double v3, double v2);

/* ---- The ten kernels of Li et al. (2011), section 5, and their cost (Figure 11) ---- */

/** One of the kernels of Li et al. (2011), section 5, and its row of Figure 11: passes over m x
 * m elements, made by a sum's accesses (m^2/32 transactions each) or by a product's store
 * (m^2/16), 4 m^2 bytes each. */
struct kernel_model {
    const char *name;
    int sum_passes;   /**< of a kernel that is a sum */
    int product;      /**< 1: add GPU8's T and V */
    int store_passes; /**< in addition to the one of every product */
};
enum { KERNEL_MODELS = 10 };
extern const struct kernel_model kernel_models[KERNEL_MODELS];

/** Transactions and bytes of one kernel on m x m matrices, m a multiple of 128.
 * @param kernel one of kernel_models
 * @param m order of the matrices
 * @return transactions and bytes; flops are negative */
struct cost model_kernel(const struct kernel_model *kernel, long m);

/* ---- The flops of Strassen's and Winograd's methods over any leaf ---- */

/** @{ */
/** Strassen's method, A(l, n) = 7 A(l-1, n/2) and 18 sums of (n/2)^2 elements, and Winograd's
 * variant, with 15 sums; on rectangles, too. The leaf's memory traffic is not modelled.
 * @param ctx unused
 * @param p only its sizes are used
 * @param levels of recursion, 0 or more
 * @return multiplications and additions; transactions and bytes are negative */
struct cost model_strassen_flops(const struct context *ctx, struct product p, int levels);
struct cost model_winograd_flops(const struct context *ctx, struct product p, int levels);
/** @} */

/* ---- Strassen's and Winograd's methods over GPU8 (Li et al. (2011), sections 6 and 7), for
 * f32. If the quadrants are not multiples of GPU8's tiles, transactions and bytes are negative:
 * not modelled. ---- */

/** @{ */
/** Strassen's method with `levels` levels (sections 6.1 and 7.1), the last as in Figure 12 if
 * ctx->fused: A(k, n) = 7 A(k-1, n/2) + 9 n^2/2, T(k, n) = 7 T(k-1, n/2) + 51 n^2/128, V(k, n)
 * = 7 V(k-1, n/2) + 51 n^2, over Figure 14. Winograd's variant (sections 6.2 and 7.2): 15 n^2/4
 * flops, 41 n^2/128 transactions and 41 n^2 bytes per level.
 * @param ctx only its `fused` is used
 * @param p only its sizes are used
 * @param levels of recursion, 0 or more
 * @return flops, transactions and bytes; negative: not modelled */
struct cost model_strassen(const struct context *ctx, struct product p, int levels);
struct cost model_winograd(const struct context *ctx, struct product p, int levels);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
