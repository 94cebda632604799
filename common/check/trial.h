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

/**
 * The context that variants of this trial get.
 * @param trial with its options
 * @return threads, leaf and settings of the options, and whether the last level is fused
 */
struct context trial_context(const struct trial *trial);

/**
 * The trial's product, computing into `c`. The matrices need not exist yet.
 * @param trial with its options
 * @param c where the product goes
 * @return blocks of device pointers
 */
struct product trial_product(const struct trial *trial, const struct matrix *c);

/**
 * Fills in what a variant does on this trial's size before it runs.
 * @param trial with its options
 * @param result overwritten
 * @param variant of the step's table
 */
void trial_describe(const struct trial *trial, struct result *result,
                    const struct variant *variant);

/**
 * Reads the files of INPUT_FILE. false: `why` says what is wrong.
 * @param trial with its options; its files are read into it
 * @param why text when the result is false
 * @param size bytes of `why`
 * @return false: no memory, or a file that cannot be read
 */
bool trial_read(struct trial *trial, char *why, size_t size);

/**
 * Allocates A, B and C. false: no memory; trial_destroy() frees what was there.
 * @param trial with its options
 * @return whether there was enough memory on the host and on the device
 */
bool trial_create(struct trial *trial);

/**
 * Frees all, the workspace and the reference, too.
 * @param trial created, or all zeros
 */
void trial_destroy(struct trial *trial);

/**
 * Fills A and B on the device. `magnitude` bounds integers.
 * @param trial created
 * @param input any kind; INPUT_FILE after trial_read()
 * @param magnitude of integers, 1 or more
 */
void trial_fill(struct trial *trial, enum input input, int magnitude);

/**
 * The same from another seed than the options'; what no seed changes is multiplied, element by
 * element, by random factors from (1/2, 1] and random signs.
 * @param trial created
 * @param input any kind; INPUT_FILE after trial_read()
 * @param magnitude of integers, 1 or more
 * @param seed any
 */
void trial_fill_anew(struct trial *trial, enum input input, int magnitude, long seed);

/**
 * Rounds the elements of A, and of B, to multiples of a power of two.
 * @param trial filled
 * @param bits what is left of the largest element
 */
void trial_shorten(struct trial *trial, int bits);

/**
 * Runs a variant once, with workspace and C full of NaN, and returns milliseconds; INFINITY if
 * a fault stopped the device.
 * @param trial filled, with the variant's workspace
 * @param result the variant and its levels
 * @return milliseconds by the device's clock
 */
double trial_run(struct trial *trial, const struct result *result);

/**
 * The same from the counting build; false if a fault stopped the device.
 * @param trial filled, with the variant's workspace
 * @param result the variant and its levels; gets the counts
 * @return whether it came to its end
 */
bool trial_count(struct trial *trial, struct result *result);

/**
 * True if the last run left the clock and the signal handlers alone, and C, which is on the
 * host, is as it was when the clock stopped: as far as some elements of it tell, at places that
 * cannot be foreseen.
 * @param trial after trial_run()
 * @return whether the time that was taken is that of the product
 */
bool trial_kept_time(const struct trial *trial);

/**
 * What is allowed for a variant on this input.
 * @param trial with its options
 * @param result the variant and its levels
 * @param input what is multiplied
 * @return what trial_judge() takes
 */
struct tolerance trial_tolerance(const struct trial *trial, const struct result *result,
                                 enum input input);

/**
 * Copies everything back from the device and judges it. A reason for a failure begins with
 * `when`.
 * @param trial after a run
 * @param tolerance what is allowed
 * @param when beginning of a reason, or ""
 * @return passed, or what is wrong first
 */
struct verdict trial_judge(struct trial *trial, const struct tolerance *tolerance,
                           const char *when);

/**
 * The same on a rank, by its world; `input` is what the last run multiplied.
 * @param trial after a run
 * @param result of the variant; gets by what it was judged
 * @param input what the run multiplied
 * @param when beginning of a reason, or ""
 * @return the same on all ranks
 */
struct verdict trial_judge_on_rank(const struct trial *trial, struct result *result,
                                   enum input input, const char *when);

/**
 * The same as trial_judge() for what is on the host already.
 * @param trial with A, B and C on the host
 * @param tolerance what is allowed
 * @param when beginning of a reason, or ""
 * @return passed, or what is wrong first
 */
struct verdict trial_judge_host(const struct trial *trial, const struct tolerance *tolerance,
                                const char *when);

/**
 * The verdict after a run that stopped in the middle.
 * @return not passed, with a reason
 */
struct verdict trial_lost(void);

/**
 * Adds to unwritten elements the grid that should have covered them.
 * @param verdict wrong; without unwritten elements nothing is added
 */
void trial_add_launch(struct verdict *verdict);

/**
 * Adds to the reason what the simulated GPU found since it was last asked.
 * @param verdict gets the fault as a further reason; not passed if there is one
 */
void trial_add_fault(struct verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
