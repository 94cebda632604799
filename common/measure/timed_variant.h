/* SPDX-License-Identifier: MIT */
/** @file timed_variant.h
 * A variant as a contestant of the timing loop, where a step times some by itself.
 */
#ifndef COMMON_MEASURE_TIMED_VARIANT_H
#define COMMON_MEASURE_TIMED_VARIANT_H

#include <stdbool.h>

#include "common/device/timer.h"
#include "common/step.h"

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

/** Prints on standard error why nothing can be timed here: the simulated GPU, or a missing
 * leaf.
 * @param option that needs times, without its dashes
 * @param leaf that would be timed
 * @return true if it printed a reason, false if times are possible */
bool no_times(const char *option, const struct leaf *leaf);

#ifdef __cplusplus
}
#endif
#endif
