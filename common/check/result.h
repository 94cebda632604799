/* SPDX-License-Identifier: MIT */
/** @file result.h
 * What is known about a variant once it has run.
 */
#ifndef COMMON_CHECK_RESULT_H
#define COMMON_CHECK_RESULT_H

#include "common/check/verify.h"
#include "common/device/backend.h"
#include "common/device/timer.h"

/** What a variant was judged by. */
enum judged {
    JUDGED_INTEGERS = 1, /**< small integers, bit for bit */
    /** numbers that use all bits, bit for bit (within `split` where it has one) */
    JUDGED_BITS = 2,
    JUDGED_BOUND = 4,  /**< the input asked for, by a bound that zeros do not meet */
    JUDGED_RUNS = 8,   /**< each timed run */
    JUDGED_SHAPE = 16, /**< a small product of another shape */
    JUDGED_ALL = 31,
    /* On ranks, see world.h: */
    JUDGED_FREIVALDS = 32, /**< with vectors of random signs */
    JUDGED_GUARDS = 64,    /**< no guard cell was written */
    JUDGED_COUNTS = 128,   /**< as many words and messages as by the model */
    JUDGED_ALL_ON_RANKS = JUDGED_INTEGERS | JUDGED_FREIVALDS | JUDGED_GUARDS | JUDGED_COUNTS
};

/** Everything known about one variant when it has run. */
struct result {
    const struct variant *variant;
    int levels;
    bool padded;          /**< it ran on operands padded to `shape` */
    struct product shape; /**< the sizes its kernels got, no pointers */
    size_t workspace_bytes;
    struct timing timing;           /**< reps 0: not timed */
    const char *reference;          /**< the vendor's library, NULL: none */
    struct timing reference_timing; /**< reps 0: not timed */
    struct verdict verdict;
    unsigned judged;      /**< by what: several of enum judged */
    struct counts counts; /**< measured on the simulated GPU; negative: not counted */
    struct cost cost;     /**< by the variant's model; negative: not modelled */
    const char *uncounted, *unmodelled; /**< why not; NULL: it is, or needs no reason */
    char note[256]; /**< the step's note after the last run on what was asked for, or why
                       the variant cannot run on these ranks */
};

#endif
