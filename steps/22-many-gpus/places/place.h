/* SPDX-License-Identifier: MIT */
/** @file place.h
 * A memory that holds a rank's blocks, and the functions that work on them there: the host's
 * (place_host.c) or a GPU's (place_gpu.cu).
 */
#ifndef STEPS_22_MANY_GPUS_PLACES_PLACE_H
#define STEPS_22_MANY_GPUS_PLACES_PLACE_H

#include <stdbool.h>

#include "common/matrix/block.h"
#include "common/matrix/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A whole operand, of which each rank makes its own part: every element is a function of its
 * place. */
struct source {
    enum input input;
    enum operand which;
    uint64_t seed;
    int magnitude;   /**< of integers */
    long rows, cols; /**< all beyond them is zero */
};

struct place {
    bool is_host; /**< the host can read it */

    void *(*allocate)(size_t bytes); /**< NULL: there is not enough */
    void (*release)(void *block);
    double (*memory_free)(void);
    void (*poison)(void *block, size_t bytes); /**< fills it with NaN */

    /** Fills a block whose first element is (row, col) of the operand. */
    void (*fill)(struct block block, const struct source *operand, long row, long col);
    /** How many of the block's elements differ from what fill() would write, bit for bit. */
    long (*changed)(struct block block, const struct source *operand, long row, long col);
    /** z = s x, or z = s x + t y with y; z may be x or y. */
    void (*sum)(real *z, const real *x, real s, const real *y, real t, long count);
    /** Y += block * V in double: V has block.cols rows of `vectors` numbers, Y block.rows rows;
     * both in host memory, row-major. */
    void (*apply)(struct block block, const double *v, double *y, int vectors);
    /** Copies a block from host memory to here, and back. */
    void (*bring)(struct block here, struct block host);
    void (*fetch)(struct block host, struct block here);
    /** Waits until all copies, sums and products are done. */
    void (*finish)(void);
};

extern const struct place place_host;

/** Where this program multiplies. */
extern const struct place *const place_of_leaves;

/** Host memory for messages to and from place_of_leaves, for a GPU pinned if the system allows
 * it; NULL: there is not enough. */
void *place_allocate_outside(size_t bytes);
void place_release_outside(void *block);

/** The kind of that memory: "pinned", or "pageable" if some of it was refused; NULL without
 * any. */
const char *place_outside_is(void);

/** The leaves that multiply there, the default first; ends with an empty row. */
extern const struct leaf place_leaves[];

/** A line that names this program's twin, which multiplies elsewhere. */
extern const char place_twin[];

/** What a leaf that chooses its own methods has done since this was last set to zeros. */
struct leaf_work {
    char by[48]; /**< the method, and levels; cuBLAS's if a product had no room for another */
    long pieces; /**< the most pieces that a product was cut into */
    long fell_back; /**< products that had no room for their plan */
    double bytes;   /**< the most that it worked in */
    long levels;    /**< the most levels of the leaf */
    bool tensor;    /**< a product was on tensor cores */
};

/** This rank's; NULL if the leaves have nothing to choose. */
struct leaf_work *place_leaf_work(void);

/** Bytes of workspace that this leaf would use for such a product if it had room for all of it;
 * 0 if it needs none. */
double place_leaf_bytes(const char *leaf, struct product p);

/** Frees the workspace that leaves have kept. */
void place_leaf_rest(void);

/** The number of ranks on this host by default: its GPUs, or one on the processor. */
int place_ranks(void);

/** Chooses the device of this rank, which is the calling thread: `number` is its number among
 * the `ranks` ranks of this host. Returns NULL, or what is missing. */
const char *place_open(int number, int ranks);

/** Frees what this rank's leaves have kept. */
void place_close(void);

#ifdef __cplusplus
}
#endif
#endif
