/**
 * @file diagnose.h
 * Why C holds NaN: tried out, by multiplying again under other circumstances.
 */
#ifndef LADDER_LAB_DIAGNOSE_H
#define LADDER_LAB_DIAGNOSE_H

#include "common/measure.h"

/** One of not-cleared, never-written, beyond, leading-dimension, part, workspace; NULL: C holds no NaN,
 *  or it cannot be told. */
const char *diagnose_nan(const struct options *options, const struct result *result);

#endif
