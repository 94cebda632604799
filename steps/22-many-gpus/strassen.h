/**
 * @file strassen.h
 * Strassen's seven products as a table, on shares: no sum needs a message.
 */
#ifndef STEPS_22_MANY_GPUS_STRASSEN_H
#define STEPS_22_MANY_GPUS_STRASSEN_H

#include "place.h"
#include "share.h"

enum { PRODUCTS = 7 };

/// [table]
/** Product i is (a . quadrants of A) (b . quadrants of B) and goes to C's quadrants with the
 * signs c; quadrants are 11, 12, 21, 22. */
struct recipe {
    signed char a[4], b[4], c[4];
};

static const struct recipe recipes[PRODUCTS] = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},  /* M1 = (A11 + A22) (B11 + B22) */
    {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}}, /* M2 = (A21 + A22) B11         */
    {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}}, /* M3 = A11 (B12 - B22)         */
    {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}}, /* M4 = A22 (B21 - B11)         */
    {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}}, /* M5 = (A11 + A12) B22         */
    {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}}, /* M6 = (A21 - A11) (B11 + B12) */
    {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}}, /* M7 = (A12 - A22) (B21 + B22) */
};
/// [table]

/** The sum of x's quadrants with these signs (at most two are not zero), into `to`. */
static inline void sum_quadrants(const struct place *place, const struct share *x,
                                 const signed char *signs, real *to)
{
    const real *term[2] = {NULL, NULL};
    real sign[2] = {0, 0};
    int terms = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            term[terms] = quadrant_share(*x, q).at, sign[terms++] = signs[q];
    place->sum(to, term[0], sign[0], term[1], sign[1], share_elements(x) / 4);
}

/** A factor that is one quadrant is used where it lies; another one is summed in `room`. */
static inline real *factor_of(const struct place *place, const struct share *x,
                              const signed char *signs, real *room)
{
    int terms = 0, last = 0;
    for (int q = 0; q < 4; q++)
        if (signs[q])
            terms++, last = q;
    if (terms == 1)
        return quadrant_share(*x, last).at;
    sum_quadrants(place, x, signs, room);
    return room;
}

/** Takes product i, of a quadrant's size, to its places in C: the first to come there sets
 * them. */
static inline void add_product(const struct place *place, const struct share *c, int i,
                               const real *m)
{
    for (int q = 0; q < 4; q++) {
        bool first = true;
        for (int before = 0; before < i; before++)
            first = first && !recipes[before].c[q];
        real *to = quadrant_share(*c, q).at, sign = recipes[i].c[q];
        if (sign != 0)
            place->sum(to, m, sign, first ? NULL : to, 1, share_elements(c) / 4);
    }
}

#endif
