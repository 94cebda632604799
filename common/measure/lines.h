/* SPDX-License-Identifier: MIT */
/** @file lines.h
 * The JSON line of a variant that was timed in turn with the vendor's library.
 */
#ifndef COMMON_MEASURE_LINES_H
#define COMMON_MEASURE_LINES_H

#include "common/command/options.h"
#include "common/device/timer.h"
#include "common/measure/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Begins a line with the fields step, variant, leaf, backend, device, precision, m, n, k and
 * levels.
 * @param o the options
 * @param variant its name
 * @param leaf its name, or NULL; "" leaves the field out
 * @param p the product
 * @param levels of recursion
 * @return the line, which json_end() ends
 */
struct json rung_line(const struct options *o, const char *variant, const char *leaf,
                      struct product p, int levels);

/**
 * Adds the times: reps, ms_median, ms_min, ms_max, gflops, reference, reference_ms_median and
 * ratio.
 * @param json begun
 * @param p the product
 * @param own times of the variant
 * @param vendor times of the vendor's library
 * @param ratio the library's time divided by the variant's
 * @param threads of the library
 */
void rung_times(struct json *json, struct product p, struct timing own, struct timing vendor,
                double ratio, int threads);

/** 2mnk operations in `ms` milliseconds.
 * @param p the product
 * @param ms milliseconds
 * @return GFLOP/s */
double rung_gflops(struct product p, double ms);

#ifdef __cplusplus
}
#endif
#endif
