/**
 * @file unfused.h
 * The triple loop with a rounding after each multiplication and each addition.
 */
#ifndef LADDER_UNFUSED_H
#define LADDER_UNFUSED_H

#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** C = A * B without fused multiply-adds. Each element's sum runs over l = 0, 1, ... in order. */
void multiply_unfused(const struct problem *p, void *workspace);

#ifdef __cplusplus
}
#endif

#endif
