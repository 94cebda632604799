/* SPDX-License-Identifier: MIT */
/** @file diagnose.h
 * What is known of a wrong C once it has been multiplied again under other circumstances.
 */
#ifndef TOOLS_LAB_DIAGNOSE_H
#define TOOLS_LAB_DIAGNOSE_H

#include "common/command/options.h"
#include "common/check/verify.h"

/** Facts about a wrong C. */
struct diagnosis {
    bool nan;        /**< they are about NaN: which cell of which matrix it comes from */
    bool adds_to_c;  /**< it comes from C as C was before */
    bool right;      /**< on the integers of this run every element was right */
    char text[4096]; /**< sentences, or a map of the wrong elements; "" without any */
};

/**
 * Looks at what `yours` does with these options, which the checker judged wrong. On the
 * processor it says of NaN where it comes from (the simulated GPU names the line). Where the
 * checker found no hypothesis for wrong numbers it draws a map of them.
 */
void diagnose(const struct options *options, const struct verdict *verdict,
              struct diagnosis *diagnosis);

#endif
