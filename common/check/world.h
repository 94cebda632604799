/* SPDX-License-Identifier: MIT */
/** @file world.h
 * The functions that the runner calls in a step whose matrices are distributed over ranks.
 *
 * Ranks are processes, or threads of one process; none has a whole matrix. Each rank executes
 * the runner from run_variants() on, all at the same time and in the same order. The step fills
 * the matrices where they are, takes the time of all ranks, and judges the product.
 */
#ifndef COMMON_CHECK_WORLD_H
#define COMMON_CHECK_WORLD_H

#include "common/check/result.h"
#include "common/command/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json;
struct rank; /**< one rank; defined by the step */

/** The arguments of a rank's variant. */
struct rank_part {
    struct product product; /**< the rank's part of it */
    void *workspace, *leaf_workspace;
};

struct world {
    /** Finds or starts the ranks and calls run() on each, with options that name the rank.
     * Returns the exit status of all. */
    int (*start)(const struct options *options, int (*run)(const struct options *options));
    /** True on the one rank that prints. */
    bool (*prints)(const struct rank *rank);
    /** Plans a variant and describes it in its result. Returns false if it cannot run here; the
     * result's note then says why. */
    bool (*plan)(struct rank *rank, struct result *result);
    /** Why no variant is left to run. */
    const char *(*nothing_left)(struct rank *rank);
    /** Plans a variant again and allocates its memory; close() frees it. */
    struct rank_part (*open)(struct rank *rank, struct result *result);
    void (*close)(struct rank *rank);
    /** Makes A and B. `magnitude` bounds integers. */
    void (*fill)(struct rank *rank, enum input input, int magnitude);
    /** Around each product: begin() fills C and the workspace with NaN and waits for all ranks,
     * end() returns the milliseconds until the last one was ready. */
    void (*begin)(struct rank *rank);
    double (*end)(struct rank *rank);
    /** Judges the last product and sets the result's `judged`; all ranks get the same verdict.
     */
    struct verdict (*judge)(struct rank *rank, struct result *result, bool exact);
    /** Makes a copy of C on the rank that prints; the others keep an empty matrix. */
    void (*collect)(struct rank *rank, struct matrix *c);
    /** Predicts the time of a product before it is timed. */
    void (*predict)(struct rank *rank, const struct context *ctx, struct product p);
    /** The product for the vendor's library; false if no rank has all of it. */
    bool (*whole)(const struct rank *rank, struct product *p);
    /** Reports: who takes part; lines under a variant's row; fields of its JSON line, those
     * known before it runs and those known afterwards. */
    void (*introduce)(const struct rank *rank);
    void (*row)(const struct rank *rank, const struct result *result);
    void (*json_before)(const struct rank *rank, struct json *json);
    void (*json_after)(const struct rank *rank, struct json *json);
};

/**
 * The functions for the runner of a rank.
 * @param options of a run
 * @return the step's world; NULL without ranks
 */
static inline const struct world *world_of(const struct options *options)
{
    return options->rank ? options->step->world : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
