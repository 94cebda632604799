/* SPDX-License-Identifier: MIT */
/** @file sizes.h
 * Arithmetic on sizes.
 */
#ifndef COMMON_SIZES_H
#define COMMON_SIZES_H

static inline long larger(long x, long y) { return x > y ? x : y; }
static inline long smaller(long x, long y) { return x < y ? x : y; }

/** How many pieces of `size` cover n. */
static inline long pieces_of(long n, long size) { return (n + size - 1) / size; }

/** n rounded up to a multiple. */
static inline long round_up(long n, long multiple) { return pieces_of(n, multiple) * multiple; }

#endif
