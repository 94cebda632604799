/* SPDX-License-Identifier: MIT */
/** @file sums.h
 * Sums of blocks in host memory, for the recursive methods on the processor.
 */
#ifndef COMMON_MATRIX_SUMS_H
#define COMMON_MATRIX_SUMS_H

#include "common/matrix/block.h"

/** @{ */
/** z = x + y, or x - y; z may be x or y.
 * @param x,y as large as z
 * @param z overwritten */
static inline void add(struct block x, struct block y, struct block z)
{
    for (long i = 0; i < z.rows; i++)
        for (long j = 0; j < z.cols; j++)
            z.at[i * z.ld + j] = x.at[i * x.ld + j] + y.at[i * y.ld + j];
}

static inline void sub(struct block x, struct block y, struct block z)
{
    for (long i = 0; i < z.rows; i++)
        for (long j = 0; j < z.cols; j++)
            z.at[i * z.ld + j] = x.at[i * x.ld + j] - y.at[i * y.ld + j];
}
/** @} */

/** z = x.
 * @param x as large as z
 * @param z overwritten */
static inline void copy(struct block x, struct block z)
{
    for (long i = 0; i < z.rows; i++)
        for (long j = 0; j < z.cols; j++)
            z.at[i * z.ld + j] = x.at[i * x.ld + j];
}

#endif
