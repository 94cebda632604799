/* SPDX-License-Identifier: MIT */
/** @file kernel.h
 * What the packed product needs of one instruction set: a micro-kernel and the two ways of
 * packing. kernel.c has them once, and the build compiles it for each instruction set; packed.c
 * chooses at run time what the processor can do.
 */
#ifndef STEPS_02_CPU_BLOCKED_KERNEL_H
#define STEPS_02_CPU_BLOCKED_KERNEL_H

#include <stdbool.h>

#include "common/sizes.h"
#include "common/step.h"

/* Two levels of Winograd's method add sixteen blocks up at most. */
enum { TERMS = 16 };

/* The micro-kernel's unroll factor along k: the depth of a packed panel is a multiple of it,
   filled up with zeros. */
enum { STEPS = 4 };

/* The most columns of A that are packed at once. */
enum { MOST_KC = 1024 };

/* The most rows of tiles of C for which B is read in place. */
enum { FLAT_TILES = 4 };

/** A block of a matrix in a sum. It may be smaller than the sum it belongs to, at the right or
 * at the bottom: what is missing counts as zero, and is not written. */
struct term {
    real *at; /**< operands are only read, whatever the type says */
    long rows, cols;
    real sign; /**< 1 or -1 */
    bool set;  /**< of a result: C becomes this product; otherwise the product is added to C */
};

/** Blocks of one matrix. As an operand: their sum. As a result: all the places that get the
 * product. */
struct sum {
    int count;
    long ld; /**< elements from one row to the next */
    struct term term[TERMS];
};

/** One instruction set's part of the product. */
struct kernel {
    const char *name;
    int mr, nr; /**< the largest tile of C that its registers hold */

    /** Rows [i, i + rows) and columns [l, l + kc) of a sum as panels of mr rows, each stored
     * column by column; mr here may be any up to the kernel's. */
    void (*pack_a)(const struct sum *a, long i, long l, long rows, long kc, int mr,
                   real *packed);

    /** Rows [l + first, l + last) of a block of B that begins at row l, column j, and has kc
     * rows and `cols` columns, as panels of nr columns stored row by row. */
    void (*pack_b)(const struct sum *b, long l, long j, long first, long last, long kc,
                   long cols, real *packed);

    /** Panels of A (rows) times panels of B (cols), into all places of C at row i, column j.
     * `first`: these are the first terms of k, so that a place which is to be set is not read.
     * With `collected`, tiles of the product are kept there, one after another, until
     * `last`: only then do they go to C. */
    void (*multiply)(long rows, long cols, long kc, int mr, const real *a, const real *b,
                     const struct sum *c, long i, long j, bool first, bool last,
                     real *collected);

    /** The same with up to FLAT_TILES panels of A, where b is no panel but kc rows of B, ldb
     * apart, of whole tiles. */
    void (*multiply_unpacked)(long rows, long cols, long kc, int mr, const real *a,
                              const real *b, long ldb, const struct sum *c, long i, long j,
                              bool first);
};

/** The kernels there are; the build knows which. */
extern const struct kernel kernel_portable;
#ifdef LADDER_X86_KERNELS
extern const struct kernel kernel_avx2, kernel_avx512;
#endif

#endif
