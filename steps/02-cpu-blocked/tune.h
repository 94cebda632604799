/**
 * @file tune.h
 * --tune: the best block sizes by measuring.
 */
#ifndef LADDER_TUNE_H
#define LADDER_TUNE_H

#include "common/options.h"

/** The action: races block sizes, prints the best and keeps them for later runs. */
int tune(const struct options *options);

#endif
