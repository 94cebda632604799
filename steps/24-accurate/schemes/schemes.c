/* SPDX-License-Identifier: MIT */
/** @file schemes.c
 * The table of Dumas, Pernet and Sedoglavic. CMake writes those of laderman.txt and dps-48.txt
 * into a source.
 */
#include "models.h"

/// [dps]
/* Dumas, Pernet and Sedoglavic (2024), the variant with powers of two. */
static const struct scheme_product dps_products[] = {
    {{0, -1, 1, 0}, {1, 0, 0, -1}, {0, 1, 1, 0}},
    {{1, .5, -.5, -.25}, {1, .5, 0, 0}, {.5, 1, 0, 0}},
    {{0, 0, 1, -.5}, {0, .5, 0, -1}, {.25, -.5, -.5, 1}},
    {{0, 1, 0, -.5}, {.5, .25, -1, -.5}, {-.5, 0, 1, 0}},
    {{0, 0, 1, .5}, {0, .5, 0, 1}, {.25, .5, .5, 1}},
    {{1, -.5, .5, -.25}, {1, -.5, 0, 0}, {.5, -1, 0, 0}},
    {{0, 1, 0, .5}, {.5, -.25, 1, -.5}, {.5, 0, 1, 0}},
};
/// [dps]
const struct scheme dps_scheme = {"dps", 2, 2, 2, 7, dps_products, NULL};

/// [basis]
/* The same table in the bases of four of its own sums, so that these sums are single blocks. Of
   all bases with so few nonzeros these let errors grow least. */
static const double dps_basis[3][4][4] = {
    {{0, -1, 1, 0}, {1, .5, -.5, -.25}, {0, 0, 1, -.5}, {0, 1, 0, .5}},
    {{1, 0, 0, -1}, {1, .5, 0, 0}, {0, .5, 0, -1}, {.5, -.25, 1, -.5}},
    {{0, 1, 1, 0}, {-.5, 0, 1, 0}, {.25, .5, .5, 1}, {.5, -1, 0, 0}},
};
static const struct scheme_product dps_in_basis[] = {
    {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}},  {{0, 1, 0, 0}, {0, 1, 0, 0}, {1, -1, 0, 0}},
    {{0, 0, 1, 0}, {0, 0, 1, 0}, {-1, 0, 1, 0}}, {{-1, 0, 1, 0}, {1, 0, 0, -1}, {0, 1, 0, 0}},
    {{1, 0, 0, 1}, {-1, 1, 0, 0}, {0, 0, 1, 0}}, {{1, 1, 0, 0}, {1, 0, -1, 0}, {0, 0, 0, 1}},
    {{0, 0, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, 1}},
};
/// [basis]
const struct scheme dps_basis_scheme = {"dps-basis", 2, 2, 2, 7, dps_in_basis, dps_basis};
