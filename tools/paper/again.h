/* SPDX-License-Identifier: MIT */
/** @file again.h
 * Makes an item's numbers again on this computer.
 */
#ifndef TOOLS_PAPER_AGAIN_H
#define TOOLS_PAPER_AGAIN_H

#include "paper.h"

/**
 * Builds and runs an item's programs, whose results go into the folder `results`, and prints
 * what an exact item's programs counted.
 * @param source the repository, whose tools/build and tools/measure/programs are used, this
 * with $BIN
 * @param build  the build folder
 * @return the exit status: 1 when a result is wrong, 3 when there is no GPU for it
 */
int measure_again(const struct item *item, const char *source, const char *build,
                  const char *results);

#endif
