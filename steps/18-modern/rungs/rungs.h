/* SPDX-License-Identifier: MIT */
/** @file rungs.h
 * --rungs: variants timed in turn with the vendor's library on matrices that all of them share,
 * and compared where they are. Run a step's program without --rungs to check every element. A
 * step that measures rungs compiles rungs.cu with its own sources.
 */
#ifndef STEPS_18_MODERN_RUNGS_RUNGS_H
#define STEPS_18_MODERN_RUNGS_RUNGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/command/options.h"
#include "common/matrix/block.h"
#include "common/matrix/random.h"
#include "common/device/backend.h"
#include "common/measure/json.h"
#include "common/measure/timed_variant.h"
#include "common/device/timer.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matrices ---- */

/** The elements of the factors: uniform in [-1, 1] or in [0, 1], normal, ReLU of normal, or a
 * softmax of normal numbers up to a constant factor; 86 % of A and all of B positive; NaNs in
 * A, and B uniform; doubles uniform times powers of two from 2^-200 to 2^200, one for each
 * element. */
enum rung_numbers {
    RUNG_UNIFORM,
    RUNG_POSITIVE,
    RUNG_NORMAL,
    RUNG_RELU,
    RUNG_SOFTMAX,
    RUNG_MOSTLY_POSITIVE,
    RUNG_NAN,
    RUNG_WIDE
};

/** An element of C: its error, and whether it is the number next to the exact element. */
struct rung_sample {
    double error;
    bool nearest;
};
enum { RUNG_SIDE = 128, RUNG_SAMPLES = RUNG_SIDE * RUNG_SIDE };

/** Two factors and two products, without gaps, where the backend computes. */
struct rung_data {
    long m, n, k;
    real *a, *b, *c, *again;
    int *found;             /**< what a comparison finds */
    struct rung_sample *at; /**< elements of C that rung_errors() looks at */
};

/** Makes the matrices and fills the factors. Returns false if there is too little memory; call
 * rung_data_free() even then. */
bool rung_data_make(struct rung_data *d, long m, long n, long k, enum rung_numbers numbers);

/** Element i, uniform in [-1, 1): the same number wherever it is made. */
LADDER_ANYWHERE static inline double rung_uniform(size_t i, unsigned seed)
{
    return random_uniform(random_bits((i + 1) * RANDOM_STEP + seed * 0xd1b54a32d192ed03ull));
}

/** Fills an array in the backend's memory in the way the factors are filled. */
void rung_fill(real *x, size_t count, unsigned seed, enum rung_numbers numbers);

/** Frees the matrices; `d` may be all zeros. */
void rung_data_free(struct rung_data *d);

/** The product C = A B; `c` is d->c or d->again. */
static inline struct product rung_product(const struct rung_data *d, real *c)
{
    struct block left = {d->a, d->m, d->k, d->k}, right = {d->b, d->k, d->n, d->n},
                 to = {c, d->m, d->n, d->n};
    return product_on(left, right, to);
}

/** The largest difference between the two products; NaN if any difference is NaN. */
double rung_difference(const struct rung_data *d);

/** Whether the two products have the same bits. */
bool rung_same_bits(const struct rung_data *d);

/** Measures square matrices of each of the sizes, or the size of --n, --m and --k if --n is not
 * the step's default. measure() works with `what` and returns an exit status. Returns the last
 * one that is not EXIT_RIGHT; EXIT_RESOURCE where a size was too large. */
int rung_sizes(const struct options *o, const long *sizes, int count, enum rung_numbers numbers,
               int (*measure)(const struct options *o, const struct rung_data *d, void *what),
               void *what);

/* ---- The JSON line of a rung ---- */

/** Begins a line with the fields step, variant, leaf, backend, device, precision, m, n, k and
 * levels; json_end() ends it. `leaf` may be NULL; "" leaves the field out. */
static inline struct json rung_line(const struct options *o, const char *variant,
                                    const char *leaf, struct product p, int levels)
{
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", o->step->name);
    json_text(j, "variant", variant);
    if (!leaf || *leaf)
        json_text(j, "leaf", leaf);
    json_text(j, "backend", backend.name);
    json_text(j, "device", backend.device());
    json_text(j, "precision", precision_names[o->precision]);
    json_whole(j, "m", (double)p.c.rows);
    json_whole(j, "n", (double)p.c.cols);
    json_whole(j, "k", (double)p.a.cols);
    json_whole(j, "levels", levels);
    return json;
}

/** GFLOP/s of 2mnk operations in `ms` milliseconds. */
static inline double rung_gflops(struct product p, double ms)
{
    return 2e-6 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols / ms;
}

/** Adds the times: reps, ms_median, ms_min, ms_max, gflops, reference, reference_ms_median and
 * ratio, which is the time of the vendor's library on `threads` threads divided by the
 * variant's. */
static inline void rung_times(struct json *j, struct product p, struct timing own,
                              struct timing vendor, int threads)
{
    json_whole(j, "reps", own.reps);
    json_number(j, "ms_median", own.median);
    json_number(j, "ms_min", own.min);
    json_number(j, "ms_max", own.max);
    json_number(j, "gflops", rung_gflops(p, own.median));
    json_text(j, "reference", backend.vendor(threads));
    json_number(j, "reference_ms_median", vendor.median);
    json_number(j, "ratio", vendor.median / own.median);
}

/* ---- Timing ---- */

/** A variant at one number of levels, or the vendor's library. */
struct rung {
    const struct variant *variant; /**< NULL: the vendor's library */
    const void *row;               /**< of the step's table of rungs */
    struct timed_variant run;
    double predicted;           /**< milliseconds */
    double mean, most, nearest; /**< errors; the share of correctly rounded elements */
    bool compared, same_bits;   /**< with another run */
};

/** Sets a rung's mean, most and nearest, whose product is in d->c: those of RUNG_SAMPLES
 * elements of C, in random rows and columns, compared with sums in twice the precision. */
void rung_errors(struct rung *rung, const struct rung_data *d);

/** A rung that computes C = A B, by the vendor's library if `variant` is NULL; without a
 * workspace and a prediction. `row` is of the step's table of rungs, or NULL. */
struct rung rung_of(const struct variant *variant, const void *row, const struct context *ctx,
                    struct product p, int levels);

/** How a step checks and reports its rungs. */
struct rung_table {
    double budget_ms; /**< for all rounds of one size */
    int most_rounds;
    /** Runs a rung and compares its result; false if it is wrong. */
    bool (*check)(struct rung *rung, const struct rung_data *d, void *what);
    void *what; /**< what check() works with */
    /** Writes a line. */
    void (*report)(const struct options *o, const struct rung *rung, struct timing own,
                   struct timing vendor);
};

/** Checks all rungs, at most MOST_RUNGS, times them in turn, and reports each with the first,
 * which is the vendor's library. They share a workspace, which is made here. Returns an exit
 * status: EXIT_WRONG if a check says so, EXIT_RESOURCE without memory. */
int measure_rungs_of(const struct options *o, const struct rung_data *d, struct rung *rungs,
                     int count, const struct rung_table *table);
enum { MOST_RUNGS = 32 };

#ifdef __cplusplus
}
#endif
#endif
