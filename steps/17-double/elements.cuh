/* SPDX-License-Identifier: MIT */
/** @file elements.cuh
 * --elements: Figure 44 on the processor.
 */
#ifndef STEPS_17_DOUBLE_ELEMENTS_CUH
#define STEPS_17_DOUBLE_ELEMENTS_CUH

#include "common/command/options.h"

/** The action: computes some elements of C as the document's four ways of multiplying round
 * them, and prints how far they are apart. */
int print_elements(const struct options *options);

#endif
