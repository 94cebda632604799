/* SPDX-License-Identifier: MIT */
/** @file recipes.h
 * The seven products of the fused level (fused_level.cuh). tools/draw/methods.py draws them.
 */
#ifndef STEPS_19_OWN_LEAF_RECIPES_H
#define STEPS_19_OWN_LEAF_RECIPES_H

#include <stdbool.h>

/// [table]
/* The seven products in the order in which they are computed: which quadrants (11, 12, 21, 22)
   the factors are sums of, with their signs, and to which quadrant of C the registers go
   afterwards. One that `adds` adds the old C, the others overwrite it. The next product
   goes on with the sums in the registers unless it is said that it `clears` them. */
static const struct recipe {
    int a[4], b[4], c;
    bool adds, clears;
} recipes[7] = {
    {{0, 0, 1, 1}, {-1, 1, 0, 0}, 3, false, false}, /* C22 = M5 */
    {{1, 1, -1, -1}, {0, 0, 0, 1}, 1, false, true}, /* C12 = M5 + M6 */
    {{0, 1, 0, 0}, {0, 0, 1, 0}, 0, false, true},   /* C11 = M3 */
    {{1, 0, 0, 0}, {1, 0, 0, 0}, 0, true, false},   /* C11 + M2 */
    {{-1, 0, 1, 1}, {1, -1, 0, 1}, 1, true, false}, /* C12 + U2, U2 = M1 + M2 */
    {{1, 0, -1, 0}, {0, -1, 0, 1}, 3, true, false}, /* C22 + U3, U3 = U2 + M4 */
    {{0, 0, 0, 1}, {-1, 1, 1, -1}, 2, false, true}, /* C21 = U3 - M7: B's sum is -T4 */
};
/// [table]

#endif
