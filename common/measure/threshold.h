/* SPDX-License-Identifier: MIT */
/** @file threshold.h
 * Times a recursive method against its own leaf and finds the size from which on it wins
 * (Musella, section 2.1.1).
 */
#ifndef COMMON_MEASURE_THRESHOLD_H
#define COMMON_MEASURE_THRESHOLD_H

#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A variant or a leaf on a product, as a contestant of time_in_turn(): time_variant() is its
 * run. */
struct timed_variant {
    multiplication *multiply;
    const struct context *ctx;
    struct product product;
    int levels;
    void *workspace;
    simple_multiplication *simple; /**< the simple form; NULL if `multiply` is set */
};
/** One run.
 * @param timed_variant a struct timed_variant
 * @return milliseconds */
double time_variant(void *timed_variant);

/** A method and its leaf on one size of square matrices, in milliseconds (medians). */
struct race {
    long n;
    double leaf_ms, method_ms;
};

/** Times the leaf alone and `levels` levels of `method` over it, in turn, so that both see the
 * same clock frequencies.
 * @param options of the run
 * @param method the recursive method
 * @param leaf multiplies alone, and at the end of the recursion
 * @param levels of recursion, 1 or more
 * @param n order of the matrices
 * @param race overwritten
 * @return false without enough memory */
bool race_with_leaf(const struct options *options, const struct variant *method,
                    const struct leaf *leaf, int levels, long n, struct race *race);

/** Prints on standard error why nothing can be timed here: the simulated GPU, or a missing
 * leaf.
 * @param option that needs times, without its dashes
 * @param leaf that would be timed
 * @return true if it printed a reason, false if times are possible */
bool no_times(const char *option, const struct leaf *leaf);

/** The common options that a race uses (struct action, heeds): it makes square matrices and
 * chooses the number of runs. */
#define THRESHOLD_HEEDS "seed,threads,leaf"

/** --find-threshold. Times the leaf alone and one level of `method` over it on square matrices
 * of growing size, n = 64 ... 16384, for about twenty seconds. Prints the ratios as bars, draws
 * them if gnuplot is installed, and names the smallest n from which on one level is faster
 * (Musella's n0, here tau1 + 1). With --json it prints an object for each size.
 * @param options of the run
 * @param method the recursive method
 * @param name of the method in messages
 * @return the exit status: 3 on the simulated GPU, which has no times, or without the leaf. */
int find_threshold_of(const struct options *options, const struct variant *method,
                      const char *name);

#ifdef __cplusplus
}
#endif
#endif
