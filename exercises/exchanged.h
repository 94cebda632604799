/* SPDX-License-Identifier: MIT */
/** @file exchanged.h
 * Quadrants under other names, for variants of exercises: a student's answer with its own names
 * gives something else with another one's.
 */
#ifndef EXERCISES_EXCHANGED_H
#define EXERCISES_EXCHANGED_H

#include "common/matrix/block.h"

static inline struct quadrants columns_exchanged(struct quadrants x)
{
    struct quadrants y = x;
    y.q11 = x.q12, y.q12 = x.q11, y.q21 = x.q22, y.q22 = x.q21;
    return y;
}

static inline struct quadrants rows_exchanged(struct quadrants x)
{
    struct quadrants y = x;
    y.q11 = x.q21, y.q12 = x.q22, y.q21 = x.q11, y.q22 = x.q12;
    return y;
}

#endif
