/* SPDX-License-Identifier: MIT */
/** @file sizes.h
 * Arithmetic on sizes.
 */
#ifndef COMMON_SIZES_H
#define COMMON_SIZES_H

/** @{ */
/** The larger, or the smaller, of two.
 * @param x,y any number
 * @return x or y */
static inline long larger(long x, long y) { return x > y ? x : y; }
static inline long smaller(long x, long y) { return x < y ? x : y; }
/** @} */

/** How many pieces of `size` elements cover n elements.
 * @param n elements, 0 or more
 * @param size elements of a piece, 1 or more
 * @return n / size, rounded up */
static inline long pieces_of(long n, long size) { return (n + size - 1) / size; }

/** n rounded up to a multiple.
 * @param n 0 or more
 * @param multiple 1 or more
 * @return the smallest multiple that is at least n */
static inline long round_up(long n, long multiple) { return pieces_of(n, multiple) * multiple; }

#endif
