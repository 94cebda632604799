/* SPDX-License-Identifier: MIT */
/** @file diagnose.h
 * Why C holds NaN: tried out, by multiplying again under other circumstances.
 */
#ifndef TOOLS_LAB_DIAGNOSE_H
#define TOOLS_LAB_DIAGNOSE_H

#include "common/command/options.h"

/**
 * What the variant `yours` does with these options:
 *   not-cleared        it adds to C as it arrives
 *   never-written      it writes no element of C
 *   leading-dimension  it is right where rows have no gaps
 *   beyond             it reads what is no element of A or B
 *   workspace          it reads workspace that it never wrote
 *   part               it writes a part of C only
 * NULL: C holds no NaN, or it cannot be told. On the processor only: the simulated GPU names
 * the line.
 */
const char *diagnose_nan(const struct options *options);

#endif
