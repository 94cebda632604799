/* SPDX-License-Identifier: MIT */
/** @file place.h
 * A memory that holds a rank's blocks, with what is done to them there: the host's
 * (place_host.c) or a GPU's (place_gpu.cu).
 */
#ifndef STEPS_22_MANY_GPUS_PLACE_H
#define STEPS_22_MANY_GPUS_PLACE_H

#include <stdbool.h>

#include "common/matrix/block.h"
#include "common/matrix/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A whole operand, of which a rank makes its part by itself: an element is a function of its
 * place. */
struct source {
    enum input input;
    enum operand which;
    uint64_t seed;
    int magnitude;   /**< of integers */
    long rows, cols; /**< beyond them stand zeros */
};

struct place {
    const char *name;
    bool is_host; /**< the host can read it */
    bool beside;  /**< another thread may call bring() while products are multiplied */

    void *(*allocate)(size_t bytes); /**< NULL: there is not enough */
    void (*release)(void *block);
    double (*memory_free)(void);
    void (*poison)(void *block, size_t bytes); /**< fills it with NaN */

    /** Fills a block whose first element is (row, col) of the operand. */
    void (*fill)(struct block block, const struct source *operand, long row, long col);
    /** How many of its elements are not what fill() would write, bit for bit. */
    long (*changed)(struct block block, const struct source *operand, long row, long col);
    /** z = s x, or z = s x + t y with y; z may be x or y. */
    void (*sum)(real *z, const real *x, real s, const real *y, real t, long count);
    /** Y += block * V in double: V has block.cols rows of `vectors` numbers, Y block.rows; both
     * in host memory, row-major. */
    void (*apply)(struct block block, const double *v, double *y, int vectors);
    /** Copies a block from host memory to here, and back. `beside`: from another thread. */
    void (*bring)(struct block here, struct block host, bool beside);
    void (*fetch)(struct block host, struct block here);
    /** Waits until all of this, and products, are done. */
    void (*finish)(void);
};

extern const struct place place_host;

/** Where this program multiplies. */
extern const struct place *const place_of_leaves;

/** Host memory that is copied to place_of_leaves and back: place_host, and on a GPU pinned,
 * where the system allows it. */
const struct place *place_outside(void);

/** Whether it is: "pinned", or "pageable" when some of it was refused; NULL while there is
 * none. */
const char *place_outside_is(void);

/** What multiplies there, the default first; ends with an empty row. */
extern const struct leaf place_leaves[];

/** What a leaf that chooses its methods by itself did since this was last set to zeros. */
struct leaf_work {
    char by[48]; /**< the method, and levels; cuBLAS's if a product had no room for another */
    long pieces; /**< in how many a product ran, at most */
    long fell_back; /**< products that had no room for the plan that they should follow */
    double bytes;   /**< that it worked in, at most */
    long levels;    /**< of its own, at most */
    bool tensor;    /**< a product was on tensor cores */
};

/** This rank's; NULL where the leaves have nothing to choose. */
struct leaf_work *place_leaf_work(void);

/** Bytes that this leaf would work in for such a product, beside what it is given, if it had
 * room for all of it; 0 where it needs none. */
double place_leaf_bytes(const char *leaf, struct product p);

/** Frees what leaves have kept to work in. */
void place_leaf_rest(void);

/** How many ranks this host is good for when nobody says it: its GPUs; one on the processor. */
int place_ranks(void);

/** Chooses the device of this rank, which is the thread that calls: `number` counts the ranks
 * of this host, of which there are `ranks`. NULL, or what is missing. */
const char *place_open(int number, int ranks);

/** Lets go of what this rank's leaves keep. */
void place_close(void);

/** When all ranks of this process have freed everything: the number of faults that the
 * simulated GPU found. */
int place_faults(void);

/** The device's name, for reports. */
const char *place_device(void);

#ifdef __cplusplus
}
#endif
#endif
