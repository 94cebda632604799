/* SPDX-License-Identifier: MIT */
/** @file levels.c
 * Which sign, operand or product of Strassen's or Winograd's method, or of the eight products
 * of halves, is wrong: C is computed with one thing changed at a time, on each level the same
 * one, and compared with the C that came out.
 */
#include <stdio.h>
#include <string.h>

#include "schemes.h"

#define EXPLAIN(...) snprintf(found->text, found->size, __VA_ARGS__)

/** One operand of one product negated, left out, or another one in its place. */
static void try_operands(struct search *found, const struct scheme *right, int p, char matrix)
{
    struct scheme s = *right;
    int *side = matrix == 'A' ? s.a[p] : s.b[p], was[QUADRANTS], terms = 0;
    char name[16];
    name_of(right, p, name);
    memcpy(was, side, sizeof was);
    for (int q = 0; q < QUADRANTS; q++)
        terms += was[q] != 0;
    for (int q = 0; q < QUADRANTS; q++) {
        if (!was[q])
            continue;
        side[q] = -was[q];
        if (terms > 1 && is_new(found, &s))
            EXPLAIN("In %s the sign of %c%s is wrong.", name, matrix, quadrant_names[q]);
        side[q] = 0;
        if (terms > 1 && is_new(found, &s))
            EXPLAIN("In %s %c%s is missing.", name, matrix, quadrant_names[q]);
        for (int other = 0; other < QUADRANTS; other++) {
            if (was[other])
                continue;
            side[other] = was[q];
            if (is_new(found, &s))
                EXPLAIN("%s has %c%s where %c%s belongs.", name, matrix, quadrant_names[other],
                        matrix, quadrant_names[q]);
            side[other] = 0;
        }
        side[q] = was[q];
    }
}

/** A product that has the wrong sign wherever it goes, or is missing there. */
static void try_sign(struct search *found, const struct scheme *right, int p)
{
    for (int factor = -1; factor <= 0; factor++) {
        struct scheme s = *right;
        char name[16], places[64] = "";
        for (int q = 0; q < QUADRANTS; q++) {
            s.c[q][p] *= factor;
            if (right->c[q][p])
                snprintf(places + strlen(places), sizeof places - strlen(places), "%sC%s",
                         *places ? " and " : "", quadrant_names[q]);
        }
        if (is_new(found, &s))
            EXPLAIN("%s %s in %s.", name_of(right, p, name),
                    factor ? "has the wrong sign" : "is missing", places);
    }
}

/** A product that goes into a quadrant of C with the wrong sign, not at all, twice, by mistake,
 * or in another one's place. */
static void try_uses(struct search *found, const struct scheme *right, int q, int p)
{
    struct scheme s = *right;
    int was = s.c[q][p];
    static const int others[] = {-1, 0, 1, 2};
    char name[16], belongs[16];
    name_of(right, p, name);
    for (int i = 0; i < 4; i++) {
        s.c[q][p] = others[i];
        if (others[i] == was || !is_new(found, &s))
            continue;
        EXPLAIN(others[i] == 0   ? "%s is missing in C%s."
                : was == 0       ? "%s is in C%s, where it does not belong."
                : others[i] == 2 ? "%s is in C%s twice."
                                 : "%s has the wrong sign in C%s.",
                name, quadrant_names[q]);
    }
    s.c[q][p] = was;
    for (int other = 0; other < PRODUCTS; other++) {
        if (was || !s.c[q][other])
            continue;
        s.c[q][p] = s.c[q][other];
        s.c[q][other] = 0;
        if (is_new(found, &s))
            EXPLAIN("C%s has %s where %s belongs.", quadrant_names[q], name,
                    name_of(right, other, belongs));
        s.c[q][other] = s.c[q][p];
        s.c[q][p] = was;
    }
}

/** A temporary that was not made anew: a factor of another product in the place of the right
 * one, or another product. */
static void try_stale(struct search *found, const struct scheme *right, int p)
{
    char name[16], others[16], is[64], belongs[64];
    name_of(right, p, name);
    for (int other = 0; other < PRODUCTS - 1; other++) {
        struct scheme s = *right;
        memcpy(s.a[p], right->a[other], sizeof s.a[p]);
        if (is_new(found, &s))
            EXPLAIN("%s has %s where %s belongs.", name, sum_of(s.a[p], 'A', is),
                    sum_of(right->a[p], 'A', belongs));
        memcpy(s.b[p], right->b[other], sizeof s.b[p]);
        if (is_new(found, &s))
            EXPLAIN("%s stands everywhere where %s belongs.", name_of(right, other, others),
                    name);
        memcpy(s.a[p], right->a[p], sizeof s.a[p]);
        if (is_new(found, &s))
            EXPLAIN("%s has %s where %s belongs.", name, sum_of(s.b[p], 'B', is),
                    sum_of(right->b[p], 'B', belongs));
    }
}

/** The same with a product as a factor, or a sum that stands where a product should. */
static void try_stale_products(struct search *found, const struct scheme *right)
{
    enum { MOST = 64 }; /* rows; larger matrices take too long */
    const struct wrong_elements *w = found->wrong;
    struct stale stale;
    if (w->levels != 1 || w->m > MOST || w->m != w->k || w->n != w->k)
        return;
    for (stale.product = 0; stale.product < 7; stale.product++)
        for (int kind = 0; kind < KINDS_OF_STALE; kind++)
            for (stale.other = 0; stale.other < 7; stale.other++) {
                char name[16], other[16], sum[64];
                stale.kind = kind;
                if (stale.other == stale.product || !stale_fits(right, w, &stale))
                    continue;
                name_of(right, stale.product, name);
                name_of(right, stale.other, other);
                if (found->count++)
                    return;
                if (kind == LEFT_IS_PRODUCT || kind == RIGHT_IS_PRODUCT)
                    EXPLAIN("%s is made with %s in the place of its factor from %c.", name,
                            other, kind == LEFT_IS_PRODUCT ? 'A' : 'B');
                else
                    EXPLAIN("%s stands where %s belongs.",
                            sum_of(kind == IS_LEFT_SUM ? right->a[stale.other]
                                                       : right->b[stale.other],
                                   kind == IS_LEFT_SUM ? 'A' : 'B', sum),
                            name);
            }
}

/** A product that goes into another quadrant of C than it should. */
static void try_moves(struct search *found, const struct scheme *right, int p)
{
    char name[16];
    for (int q = 0; q < QUADRANTS; q++)
        for (int to = 0; to < QUADRANTS; to++) {
            struct scheme s = *right;
            if (!s.c[q][p] || s.c[to][p])
                continue;
            s.c[to][p] = s.c[q][p];
            s.c[q][p] = 0;
            if (is_new(found, &s))
                EXPLAIN("%s is in C%s, and belongs into C%s.", name_of(right, p, name),
                        quadrant_names[to], quadrant_names[q]);
        }
}

/** A matrix whose quadrants 12 and 21 are exchanged wherever they are read. */
static void try_exchange(struct search *found, const struct scheme *right, char matrix)
{
    struct scheme s = *right;
    for (int p = 0; p < PRODUCTS; p++) {
        int *side = matrix == 'A' ? s.a[p] : s.b[p], was = side[1];
        side[1] = side[2];
        side[2] = was;
    }
    if (is_new(found, &s))
        EXPLAIN("%c12 and %c21 are exchanged.", matrix, matrix);
}

/** One of Winograd's sums made with + for - or the other way round. */
static void try_winograd_sums(struct search *found)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            struct two_terms sums[2][4];
            struct scheme s = {0};
            memcpy(sums, winograd_sums, sizeof sums);
            sums[side][i].sign = -sums[side][i].sign;
            scheme_of_winograd(&s, (const struct two_terms(*)[4])sums);
            if (is_new(found, &s))
                EXPLAIN("The sum S%d has + where - belongs, or - where + does.",
                        4 * side + i + 1);
        }
}

static void try_single_changes(struct search *found, const struct scheme *s,
                               enum bound_kind method)
{
    bool has_temporaries = false;
    switch (method) {
    case BOUND_CLASSICAL:
        break;
    case BOUND_WINOGRAD:
        try_winograd_sums(found);
        has_temporaries = true;
        break;
    case BOUND_STRASSEN:
        has_temporaries = true;
        break;
    }
    try_exchange(found, s, 'A');
    try_exchange(found, s, 'B');
    for (int p = 0; p < products_of(method); p++) {
        try_sign(found, s, p);
        try_moves(found, s, p);
        try_operands(found, s, p, 'A');
        try_operands(found, s, p, 'B');
        for (int q = 0; q < QUADRANTS; q++)
            try_uses(found, s, q, p);
        if (has_temporaries)
            try_stale(found, s, p);
    }
    if (!found->count && has_temporaries)
        try_stale_products(found, s);
}

int explain_level(char *text, size_t size, const struct wrong_elements *w,
                  enum bound_kind method, bool several)
{
    struct search found;
    long whole = (1L << w->levels) - 1, sides = w->m | w->n | w->k;
    if (!w->count || sides & whole)
        return 0;
    struct scheme s = scheme_of(method);
    if (search_begin(&found, w, text, size)) {
        if (!several)
            try_single_changes(&found, &s, method);
        else if (w->levels == 1)
            try_several_changes(&found, &s, method);
    }
    search_end(&found);
    return found.count;
}
