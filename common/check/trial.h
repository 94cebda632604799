/* SPDX-License-Identifier: MIT */
/** @file trial.h
 * Operands, workspace and reference of one size, on which variants are run and judged.
 */
#ifndef COMMON_CHECK_TRIAL_H
#define COMMON_CHECK_TRIAL_H

#include "common/check/result.h"
#include "common/command/options.h"
#include "common/device/worker.h"
#include "common/matrix/matrix.h"

/** What the lab adds to each call of an answer: it does and counts some of its work. */
struct witness {
    /** @param memory A, B, C and the workspace of a call in a worker, or NULL
     * @param slow the run has new numbers, and its time does not matter */
    void (*begins)(const struct call_memory *memory, bool slow);
    /** @param said the step's note
     * @return the note, with what was counted */
    const char *(*ends)(const char *said);
    /** Looks how a right C was made. */
    void (*judges)(const struct matrix *c, const struct matrix *a, const struct matrix *b);
};

/** A product on which variants are tried. The options give its size. */
struct trial {
    const struct options *options;
    const struct step *traced; /**< the counting build's table, or NULL */
    struct matrix a, b, c;
    struct matrix file_a, file_b; /**< the files of INPUT_FILE; otherwise empty */
    struct workspace workspace;   /**< of the variant that is being tried */
    struct reference reference;
    uint64_t secret;    /**< chooses the elements of C that are hashed when the clock stops */
    uint64_t glance;    /**< the hash of those elements, after the last run */
    bool glanced;       /**< in the last run */
    const char *left;   /**< by the last run: what could go on working, in words; or NULL */
    bool clock_touched; /**< the last run called start() or stop() without `own_clock` */
    bool rounding_changed; /**< the last run left another rounding mode */
    size_t outside;        /**< the most that any run wrote outside its memory */
    bool once_more;        /**< each run has new numbers (again_run()) */
    char note[256];        /**< the step's, after the last run */
};

/** The trial's product, with the result in `c`. The matrices need not exist yet.
 * @param trial with its options
 * @param c the result
 * @return blocks of device pointers */
struct product trial_product(const struct trial *trial, const struct matrix *c);

/** Fills in the parts of a result that are known before the variant runs: levels, cost, shape.
 * @param trial with its options
 * @param result overwritten
 * @param variant of the step's table */
void trial_describe(const struct trial *trial, struct result *result,
                    const struct variant *variant);

/** Reads the files of INPUT_FILE.
 * @param trial with its options; its files are read into it
 * @return NULL, or what is wrong: no memory, or a file that cannot be read */
const char *trial_read(struct trial *trial);

/** Allocates A, B and C. trial_destroy() frees them, also after a failure.
 * @param trial with its options
 * @return whether there was enough memory on the host and on the device */
bool trial_create(struct trial *trial);

/** Frees everything, including the workspace and the reference.
 * @param trial created, or all zeros */
void trial_destroy(struct trial *trial);

/** Fills A and B on the device.
 * @param trial created
 * @param input any kind; INPUT_FILE after trial_read()
 * @param magnitude of integers, 1 or more */
void trial_fill(struct trial *trial, enum input input, int magnitude);

/** Runs a variant once, with workspace and C full of NaN.
 * @param trial filled, with the variant's workspace
 * @param result the variant and its levels
 * @return milliseconds by the device's clock; INFINITY if a fault stopped the device */
double trial_run(struct trial *trial, const struct result *result);

/** Calls a variant's function on what is in the matrices and the workspace.
 * @param trial created, with the variant's workspace
 * @param result the variant and its levels */
void trial_multiply(struct trial *trial, const struct result *result);

/** Runs the variant of the counting build once.
 * @param trial filled, with the variant's workspace
 * @param result the variant and its levels; gets the counts
 * @return false if a fault stopped the device */
bool trial_count(struct trial *trial, struct result *result);

/** The errors that a variant may make on this input.
 * @param trial with its options
 * @param result the variant and its levels
 * @param input of the product
 * @return the tolerance for trial_judge() */
struct tolerance trial_tolerance(const struct trial *trial, const struct result *result,
                                 enum input input);

/** Copies everything back from the device and judges it.
 * @param trial after a run
 * @param tolerance the allowed errors
 * @param when beginning of the reason of a failure, or ""
 * @return passed, or the first error */
struct verdict trial_judge(struct trial *trial, const struct tolerance *tolerance,
                           const char *when);

/** The verdict after a run that a fault ended early.
 * @return not passed, with a reason */
struct verdict trial_lost(void);

/** @{ */
/** Adds the last launch's grid to a message about unwritten elements; or faults of the
 * simulated GPU since the last call, which make a verdict wrong.
 * @param verdict gets more of a reason */
void trial_add_launch(struct verdict *verdict);
void trial_add_fault(struct verdict *verdict);
/** @} */

/* ---- Again: each of a variant's timed runs is judged, off the clock and at a small share of
 * its time ---- */

/** A variant that was right and runs again, timed. */
struct again {
    struct trial *trial;
    const struct result *result;
    enum input input; /**< of the timed runs */
    int magnitude;    /**< of integers */
    struct tolerance tolerance;
    int run;                /**< how many timed runs were judged; 0 in the counting run */
    long seed;              /**< of the last run's operands */
    struct verdict verdict; /**< of the first wrong run; passed until there is one */
};

/** Begins with the chosen operands. If the bound is so large that a C of zeros would pass, the
 * timed runs multiply integers, whose product must be exact.
 * @param again overwritten
 * @param trial must outlive it; its A and B are the chosen ones
 * @param result of the variant
 * @param magnitude of the integers; 0 if none would stay exact
 * @return false if the runs cannot be judged: zeros would pass, and no integers fit */
bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 int magnitude);

/** One run, timed and judged. Each run multiplies new operands from an unpredictable seed, so a
 * variant cannot use remembered results. If the input has no seed, each element is multiplied
 * by a random factor from (1/2, 1] and a random sign. verify_by_signs() judges C, and A and B
 * must be unchanged. The chosen operands are lost.
 * @param again begun
 * @param last this is the last run: its C is judged element by element
 * @return milliseconds; negative when this run, or one before, was wrong */
double again_run(struct again *again, bool last);

/** Counts the accesses of the counting build, and compares its C bit for bit with the C of the
 * timed build, since both must run the same kernels. The operands lose the last bits of their
 * elements, so that the order of sums alone decides C's bits.
 * @param again begun
 * @param result of the variant; gets the counts
 * @return whether it was right */
bool again_count(struct again *again, struct result *result);

#endif
