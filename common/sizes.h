/**
 * @file sizes.h
 * Arithmetic on sizes that every part of the ladder needs.
 */
#ifndef LADDER_SIZES_H
#define LADDER_SIZES_H

/** The larger of two sizes. */
static inline long larger(long x, long y)
{
    return x > y ? x : y;
}

/** n rounded up to a multiple. */
static inline long round_up(long n, long multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

#endif
