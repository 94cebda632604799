/**
 * @file again.h
 * Makes an item's numbers again on this computer.
 */
#ifndef LADDER_PAPER_AGAIN_H
#define LADDER_PAPER_AGAIN_H

#include "paper.h"

/** Prints the programs that making an item's numbers again runs, one a line. */
void print_programs(const struct item *item);

/**
 * Runs an item's programs, whose results go into the folder `results`, and prints what an exact item's
 * programs counted.
 * @param source the repository, whose tools/measure is used with $BIN
 * @return the exit status: 1 when a result is wrong, 3 when there is no GPU for it
 */
int measure_again(const struct item *item, const char *source, const char *results);

#endif
