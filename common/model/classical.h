/* SPDX-License-Identifier: MIT */
/** @file classical.h
 * What the classical kernels cost, from a thread for each element to GPU8: flops, device-memory
 * transactions and the bytes they move, by the rules of compute capability 1.3 (Li et al.
 * (2011), section 3), for f32.
 *
 * Each function takes the product that the kernel gets (after padding). Where m, n, k are no
 * multiples of the kernel's tiles there is no closed form, and the figures come back negative:
 * not modelled.
 */
#ifndef COMMON_MODEL_CLASSICAL_H
#define COMMON_MODEL_CLASSICAL_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A thread per element, neighbouring threads along a row: n^3/8 + n^2/16, 6n^3
 * + 4n^2 bytes.
 * @param x not looked at
 * @param p m and n multiples of 16, k of 8
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_naive(const struct context *x, struct product p, int levels);
/**
 * The same with the sum in device memory, read and written each time: mn/16 (4k + 1)
 *  transactions, mn/16 (224k + 64) bytes.
 * @param x not looked at
 * @param p m and n multiples of 16, k of 8
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_naive_in_memory(const struct context *x, struct product p, int levels);
/**
 * The same with neighbouring threads down a column: 17n^3/16 + n^2, 34n^3 + 32n^2 bytes.
 * @param x not looked at
 * @param p m and n multiples of 16, k of 8, n and k at least 32
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_naive_uncoalesced(const struct context *x, struct product p, int levels);
/**
 * 16 x 16 tiles in shared memory: n^3/128 + n^2/16, n^3/2 + 4n^2 bytes.
 * @param x not looked at
 * @param p multiples of 16
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_tile16(const struct context *x, struct product p, int levels);
/**
 * 32 x 32 tiles: n^3/256 + n^2/16, n^3/4 + 4n^2 bytes.
 * @param x not looked at
 * @param p multiples of 32
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_tile32(const struct context *x, struct product p, int levels);
/**
 * The sgemm of CUBLAS 3.0 after Volkov and Demmel (Li et al. (2011), section 4):
 *  5n^3/1024 + n^2/16, 5n^3/16 + 4n^2 bytes.
 * @param x not looked at
 * @param p m and k multiples of 16, n of 64
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_volkov(const struct context *x, struct product p, int levels);
/**
 * GPU8 (Li et al. (2011), section 4): 17n^3/4096 + n^2/16, 9n^3/32 + 4n^2 bytes.
 * @param x not looked at
 * @param p m a multiple of 16, n of 128, k of 64
 * @param levels 0
 * @return flops, transactions and bytes; negative: not modelled
 */
struct cost model_gpu8(const struct context *x, struct product p, int levels);

#ifdef __cplusplus
}
#endif
#endif
