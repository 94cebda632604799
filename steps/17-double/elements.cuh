/**
 * @file elements.cuh
 * --elements: Figure 44 on the processor.
 */
#ifndef LADDER_ELEMENTS_CUH
#define LADDER_ELEMENTS_CUH

#include "common/options.h"

/** The action: computes some elements of C as the document's four ways of multiplying round
 * them, and prints how far they are apart. */
int print_elements(const struct options *options);

#endif
