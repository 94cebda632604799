/* SPDX-License-Identifier: MIT */
/** @file elements.h
 * Figure 44 of Li et al. (2011) on the processor: the action --elements.
 */
#ifndef STEPS_17_DOUBLE_ELEMENTS_H
#define STEPS_17_DOUBLE_ELEMENTS_H

#include "common/command/options.h"

/** Computes some elements of C as the document's four ways of multiplying round them, and
 * prints how far they are apart. */
int print_elements(const struct options *options);

#endif
