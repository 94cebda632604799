/* SPDX-License-Identifier: MIT */
/** @file result.h
 * The result of a variant's runs.
 */
#ifndef COMMON_CHECK_RESULT_H
#define COMMON_CHECK_RESULT_H

#include "common/check/verify.h"
#include "common/device/backend.h"
#include "common/device/timer.h"

/** The checks that judged a variant. */
enum judged {
    JUDGED_INTEGERS = 1, /**< small integers, bit for bit */
    /** numbers that use all bits, bit for bit (or within the variant's `split`) */
    JUDGED_BITS = 2,
    JUDGED_BOUND = 4,  /**< the chosen input, by a bound that a C of zeros would exceed */
    JUDGED_RUNS = 8,   /**< each timed run */
    JUDGED_SHAPE = 16, /**< a small product of another shape */
    JUDGED_ALL = 31,
    /* On the ranks of step 22: */
    JUDGED_FREIVALDS = 32, /**< with vectors of random signs */
    JUDGED_GUARDS = 64,    /**< no guard cell was written */
    JUDGED_COUNTS = 128,   /**< as many words and messages as the model predicts */
    JUDGED_ALL_ON_RANKS = JUDGED_INTEGERS | JUDGED_FREIVALDS | JUDGED_GUARDS | JUDGED_COUNTS
};

/** The result of one variant. */
struct result {
    const struct variant *variant;
    int levels;
    bool padded;          /**< it ran on operands padded to `shape` */
    struct product shape; /**< the sizes for its kernels, without pointers */
    size_t workspace_bytes;
    bool shown;                     /**< the addresses or the picture that were asked for */
    size_t outside;                 /**< bytes of other memory that a run wrote (worker.h) */
    struct timing timing;           /**< reps 0: not timed */
    const char *reference;          /**< the vendor's library, or NULL */
    struct timing reference_timing; /**< reps 0: not timed */
    struct verdict verdict;
    unsigned judged;      /**< bits of enum judged */
    struct counts counts; /**< measured on the simulated GPU; negative: not counted */
    struct cost cost;     /**< by the variant's model; negative: not modelled */
    const char *uncounted, *unmodelled; /**< why it was not counted or modelled, or NULL */
    char note[256]; /**< the step's note after the last run on the chosen input, or why the
                       variant cannot run on these ranks */
};

#endif
