/* SPDX-License-Identifier: MIT */
/** @file order.h
 * --order: in which order of M1 ... M7 do the sums cost least?
 */
#ifndef STEPS_05_CPU_WINOGRAD_ORDER_H
#define STEPS_05_CPU_WINOGRAD_ORDER_H

#include "common/command/options.h"

/** The action: searches all 5040 orders of both methods and prints what it finds. */
int print_orders(const struct options *options);

#endif
