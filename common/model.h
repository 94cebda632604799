/**
 * @file model.h
 * Closed forms for what kernels cost: flops, device-memory transactions and the bytes they move,
 * by the rules of compute capability 1.3 (000 section 3), for f32.
 *
 * Each takes the problem the kernel gets (after padding). Where m, n, k are no multiples of the
 * kernel's tiles there is no closed form, and the figures come back negative: not modelled.
 */
#ifndef LADDER_MODEL_H
#define LADDER_MODEL_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A thread per element, neighbouring threads along a row: n^3/8 + n^2/16, 6n^3 + 4n^2 bytes. */
struct cost model_naive(const struct problem *p);
/** The same with the sum in device memory, read and written each time: mn/16 (4k + 1)
 *  transactions, mn/16 (224k + 64) bytes. */
struct cost model_naive_in_memory(const struct problem *p);
/** The same with neighbouring threads down a column: 17n^3/16 + n^2, 34n^3 + 32n^2 bytes. */
struct cost model_naive_uncoalesced(const struct problem *p);
/** 16 x 16 tiles in shared memory: n^3/128 + n^2/16, n^3/2 + 4n^2 bytes. */
struct cost model_tile16(const struct problem *p);
/** 32 x 32 tiles: n^3/256 + n^2/16, n^3/4 + 4n^2 bytes. */
struct cost model_tile32(const struct problem *p);
/** The sgemm of CUBLAS 3.0 after Volkov and Demmel (000 section 4): 5n^3/1024 + n^2/16,
 *  5n^3/16 + 4n^2 bytes. */
struct cost model_volkov(const struct problem *p);
/** GPU8 (000 section 4): 17n^3/4096 + n^2/16, 9n^3/32 + 4n^2 bytes. */
struct cost model_gpu8(const struct problem *p);

/**
 * Strassen over GPU8 on p->levels levels (000 sections 6.1 and 7.1), the last by Figure 12 when
 * p->fused: A(k, n) = 7 A(k-1, n/2) + 9 n^2/2, T(k, n) = 7 T(k-1, n/2) + 51 n^2/128,
 * V(k, n) = 7 V(k-1, n/2) + 51 n^2, over Figure 14.
 */
struct cost model_strassen(const struct problem *p);
/** Winograd's variant likewise (sections 6.2 and 7.2): 15 n^2/4, 41 n^2/128 and 41 n^2 a level. */
struct cost model_winograd(const struct problem *p);

/** The flops of both over a leaf whose memory traffic is not modelled: A(l, n) = 7 A(l-1, n/2) and 18
 *  or 15 (n/2)^2, on rectangles too. */
struct cost model_strassen_flops(const struct problem *p);
struct cost model_winograd_flops(const struct problem *p);

/** One of the kernels of 000 section 5 and its row of Figure 11: passes over m x m elements, made
 * by a sum's accesses (m^2/32 transactions each) or by a product's store (m^2/16), 4 m^2 bytes
 * each. */
struct kernel_model {
    const char *name;
    int sum_passes;   /**< of a kernel that is a sum */
    int product;      /**< 1: GPU8's T and V too */
    int store_passes; /**< beyond the one that every product makes */
};
enum { KERNEL_MODELS = 10 };
extern const struct kernel_model kernel_models[KERNEL_MODELS];

/** Transactions and bytes of one kernel on m x m matrices, m a multiple of 128; flops: not said. */
struct cost model_kernel(const struct kernel_model *kernel, long m);

#ifdef __cplusplus
}
#endif
#endif
