/* SPDX-License-Identifier: MIT */
/** @file measure.h
 * Checks and times a step's variants. Nothing is printed: the results come back in a structure,
 * so that a grader need not read text.
 */
#ifndef COMMON_MEASURE_MEASURE_H
#define COMMON_MEASURE_MEASURE_H

#include "common/check/result.h"
#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_VARIANTS = 64 };

/** What measuring a step came to. */
struct outcome {
    int status; /**< EXIT_RIGHT, EXIT_WRONG; EXIT_USAGE or EXIT_RESOURCE when it could not be
                 * done
                 */
    char message[512];  /**< why it could not be done; otherwise empty */
    const char *vendor; /**< the library that is timed beside the variants, NULL: none */
    int right, wrong;   /**< how many variants */
    int left_out;       /**< how many cannot run on these ranks (see world.h) */
    int count;
    struct result results[MAX_VARIANTS]; /**< of the variants that were asked for */
};

/** Functions that measure() calls on its way. Each may be NULL. */
struct listener {
    /** Before the first run; the results hold what is known of each variant by then. */
    void (*begin)(const struct options *options, const struct outcome *outcome);
    /** A variant is left out because its workspace is too large (see the function in
     * measure.c). */
    void (*skip)(const struct options *options, const struct result *result,
                 double matrix_bytes);
    /** What is being done now. */
    void (*progress)(const struct options *options, const char *what);
    /** After the last run of a variant. */
    void (*result)(const struct options *options, const struct result *result);
};

/**
 * Every variant is run on small integers first and must match bit for bit, then on the input
 * that was asked for and must stay within its theorem's bound, then timed in turn with the
 * vendor's library, then checked once more, and at last on a small product of another shape.
 * The backend's device must be there (backend.missing()).
 * @param options as options_read() left them
 * @param listener what is called on the way
 * @param outcome overwritten; its status says whether it could be done
 * @param traced the step's table from the simulated GPU's counting build, NULL: there is none
 */
void measure(const struct options *options, const struct step *traced,
             const struct listener *listener, struct outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
