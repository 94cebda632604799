/**
 * @file place.h
 * Where a rank computes: place_cpu.c on the processor, place_gpu.cu on its GPU. Blocks lie there.
 */
#ifndef LADDER_PLACE_H
#define LADDER_PLACE_H

#include "common/block.h"
#include "common/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A whole operand, of which a rank makes its part by itself: an element is a function of its place. */
struct source {
    enum input input;
    enum operand which;
    uint64_t seed;
    int magnitude;   /**< of integers */
    long rows, cols; /**< beyond them stand zeros */
};

/** Fills a block whose first element is (row, col) of the operand. */
void place_fill(struct block block, const struct source *operand, long row, long col);

/** How many of its elements are not what place_fill() would write, bit for bit. */
long place_changed(struct block block, const struct source *operand, long row, long col);

/** z = s x, or z = s x + t y with y; z may be x or y. */
void place_sum(real *z, const real *x, real s, const real *y, real t, long count);

/** Y += block * V in double: V has block.cols rows of `vectors` numbers, Y block.rows; both in host
 *  memory, row-major. */
void place_apply(struct block block, const double *v, double *y, int vectors);

/** Copies a block from host memory to where the rank computes, and back; any thread may call them. */
void place_bring(struct block here, struct block host);
void place_fetch(struct block host, struct block here);

/** Waits until all of the above is done; products are waited for, too. */
void place_finish(void);

/** What multiplies on one rank, the default first; ends with an empty row. */
extern const struct variant place_leaves[];

/** Chooses this rank's device among those of its host: `number` counts the host's ranks. NULL, or what is
 *  missing. */
const char *place_open(int number);

#ifdef __cplusplus
}
#endif
#endif
