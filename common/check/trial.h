/* SPDX-License-Identifier: MIT */
/** @file trial.h
 * Operands, workspace and reference of one size, on which variants are run and judged.
 */
#ifndef COMMON_CHECK_TRIAL_H
#define COMMON_CHECK_TRIAL_H

#include "common/check/world.h"
#include "common/command/options.h"
#include "common/matrix/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What variants are tried on. The options give its size. */
struct trial {
    const struct options *options;
    const struct step *traced; /**< the counting build's table, NULL: there is none */
    struct matrix a, b, c;
    struct matrix file_a, file_b; /**< what INPUT_FILE read; otherwise empty */
    struct workspace workspace;   /**< of the variant that is being tried */
    struct reference reference;
    uint64_t secret;   /**< says which elements of C are looked at when the clock stops */
    uint64_t glance;   /**< a hash of what was there; see trial_kept_time() */
    bool glanced;      /**< in the last run */
    bool handler_left; /**< the last run set a signal handler on the host that is still there */
    struct rank_part part; /**< on a rank: what it has, in the place of the matrices above */
    bool clock_touched; /**< the last run called backend.start() or stop() without having said
                           so */
};

/** The context that variants of this trial get. */
struct context trial_context(const struct trial *trial);

/** The trial's product, computing into `c`. The matrices need not exist yet. */
struct product trial_product(const struct trial *trial, const struct matrix *c);

/** Fills in what a variant does on this trial's size before it runs. */
void trial_describe(const struct trial *trial, struct result *result,
                    const struct variant *variant);

/** Reads the files of INPUT_FILE. false: `why` says what is wrong. */
bool trial_read(struct trial *trial, char *why, size_t size);

/** Allocates A, B and C. false: no memory; trial_destroy() frees what was there. */
bool trial_create(struct trial *trial);

/** Frees all, the workspace and the reference, too. */
void trial_destroy(struct trial *trial);

/** Fills A and B on the device. `magnitude` bounds integers. */
void trial_fill(struct trial *trial, enum input input, int magnitude);

/** The same from another seed than the options'; what no seed changes is multiplied, element by
 * element, by random factors from (1/2, 1] and random signs. */
void trial_fill_anew(struct trial *trial, enum input input, int magnitude, long seed);

/** Rounds the elements of A, and of B, to `bits` bits, counted from the largest one's. */
void trial_shorten(struct trial *trial, int bits);

/** Runs a variant once, with workspace and C full of NaN, and returns milliseconds; INFINITY if
 * a fault stopped the device. */
double trial_run(struct trial *trial, const struct result *result);

/** The same from the counting build; false if a fault stopped the device. */
bool trial_count(struct trial *trial, struct result *result);

/** True if the last run left the clock alone and C, which is on the host, is as it was when the
 * clock stopped: as far as some elements of it tell, at places that nobody knows before. */
bool trial_kept_time(const struct trial *trial);

/** What is allowed for a variant on this input. */
struct tolerance trial_tolerance(const struct trial *trial, const struct result *result,
                                 enum input input);

/** Copies everything back from the device and judges it. A reason for a failure begins with
 * `when`. */
struct verdict trial_judge(struct trial *trial, const struct tolerance *tolerance,
                           const char *when);

/** The same on a rank, by its world; `input` is what the last run multiplied. */
struct verdict trial_judge_on_rank(const struct trial *trial, struct result *result,
                                   enum input input, const char *when);

/** The same as trial_judge() for what is on the host already. */
struct verdict trial_judge_host(const struct trial *trial, const struct tolerance *tolerance,
                                const char *when);

/** The verdict after a run that stopped in the middle. */
struct verdict trial_lost(void);

/** Adds to the reason what the simulated GPU found since it was last asked. */
void trial_add_fault(struct verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
