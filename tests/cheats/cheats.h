/* SPDX-License-Identifier: MIT */
/** @file cheats.h
 * Multiplications that look right, and the checker's expected verdict on each.
 */
#ifndef TESTS_CHEATS_CHEATS_H
#define TESTS_CHEATS_CHEATS_H

#include "common/step.h"

/** One way to cheat, or (honest) to be right in an unusual way. */
struct cheat {
    const char *name;
    multiplication *multiply;
    const char *reason;  /**< part of the expected verdict; NULL if it is right and must pass */
    const char *options; /**< in addition to the usual ones, or NULL */
    double least_ms; /**< the least median that is right: work that is put off is still timed */
    struct variant variant; /**< what else the table of a step says of it */
};

/** Tables end with an empty row. One of each in every precision. */
#if defined(LADDER_F32)
#define SHORTCUTS shortcuts_f32
#define ROUNDED   rounded_f32
#define OUTSIDE   outside_f32
#else
#define SHORTCUTS shortcuts_f64
#define ROUNDED   rounded_f64
#define OUTSIDE   outside_f64
#endif

extern const struct cheat shortcuts_f32[], shortcuts_f64[]; /**< they do less than a product */
extern const struct cheat rounded_f32[], rounded_f64[]; /**< they multiply with fewer bits */
extern const struct cheat outside_f32[], outside_f64[]; /**< they touch memory of others */

#endif
