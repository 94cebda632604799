/* SPDX-License-Identifier: MIT */
/** @file levels.c
 * Which sign, operand or product of Strassen's or Winograd's method, or of the eight products
 * of halves, is wrong: C is computed with one thing changed at a time, on each level the same
 * one, and compared with the C that came out.
 */
#include <stdio.h>
#include <string.h>

#include "schemes.h"

/** One operand of one product negated, left out, or another one in its place. */
static void try_operands(struct search *search, const struct level_scheme *right, int p,
                         char matrix)
{
    struct findings *f = &search->found;
    struct level_scheme s = *right;
    int *side = matrix == 'A' ? s.a[p] : s.b[p], was[QUADRANTS], terms = 0;
    struct name name = name_of(right, p);
    memcpy(was, side, sizeof was);
    for (int q = 0; q < QUADRANTS; q++)
        terms += was[q] != 0;
    for (int q = 0; q < QUADRANTS; q++) {
        const char *quadrant = quadrant_names[q];
        if (!was[q])
            continue;
        side[q] = -was[q];
        suggest(f, terms > 1 && is_new(search, &s), "In %s the sign of %c%s is wrong.",
                name.text, matrix, quadrant);
        side[q] = 0;
        suggest(f, terms > 1 && is_new(search, &s), "In %s %c%s is missing.", name.text, matrix,
                quadrant);
        for (int other = 0; other < QUADRANTS; other++) {
            if (was[other])
                continue;
            side[other] = was[q];
            suggest(f, is_new(search, &s), "%s has %c%s where %c%s belongs.", name.text, matrix,
                    quadrant_names[other], matrix, quadrant);
            side[other] = 0;
        }
        side[q] = was[q];
    }
}

/** A product that has the wrong sign wherever it goes, or is missing there. */
static void try_sign(struct search *search, const struct level_scheme *right, int p)
{
    for (int factor = -1; factor <= 0; factor++) {
        struct level_scheme s = *right;
        char places[64] = "";
        for (int q = 0; q < QUADRANTS; q++) {
            s.c[q][p] *= factor;
            if (right->c[q][p])
                snprintf(places + strlen(places), sizeof places - strlen(places), "%sC%s",
                         *places ? " and " : "", quadrant_names[q]);
        }
        suggest(&search->found, is_new(search, &s), "%s %s in %s.", name_of(right, p).text,
                factor ? "has the wrong sign" : "is missing", places);
    }
}

/** A product that is in a quadrant of C with the wrong sign, is missing there, is there twice,
 * is where it does not belong, or is in place of another product. */
static void try_uses(struct search *search, const struct level_scheme *right, int q, int p)
{
    struct findings *f = &search->found;
    struct level_scheme s = *right;
    int was = s.c[q][p];
    struct name name = name_of(right, p);
    for (int times = -1; times <= 2; times++) {
        s.c[q][p] = times;
        suggest(f, times != was && is_new(search, &s), "%s %s in C%s%s", name.text,
                times == 0   ? "is missing"
                : was == 0   ? "is"
                : times == 2 ? "is"
                             : "has the wrong sign",
                quadrant_names[q],
                times && was == 0 ? ", where it does not belong."
                : times == 2      ? " twice."
                                  : ".");
    }
    s.c[q][p] = was;
    for (int other = 0; other < PRODUCTS; other++) {
        if (was || !s.c[q][other])
            continue;
        s.c[q][p] = s.c[q][other];
        s.c[q][other] = 0;
        suggest(f, is_new(search, &s), "C%s has %s where %s belongs.", quadrant_names[q],
                name.text, name_of(right, other).text);
        s.c[q][other] = s.c[q][p];
        s.c[q][p] = was;
    }
}

/** A temporary that was not made anew: a factor of another product in place of the right one,
 * or another product. */
static void try_stale(struct search *search, const struct level_scheme *right, int p)
{
    static const char format[] = "%s has %s where %s belongs.";
    struct findings *f = &search->found;
    struct name name = name_of(right, p);
    for (int other = 0; other < PRODUCTS - 1; other++) {
        struct level_scheme s = *right;
        memcpy(s.a[p], right->a[other], sizeof s.a[p]);
        suggest(f, is_new(search, &s), format, name.text, sum_of(s.a[p], 'A').text,
                sum_of(right->a[p], 'A').text);
        memcpy(s.b[p], right->b[other], sizeof s.b[p]);
        suggest(f, is_new(search, &s), "%s is everywhere where %s belongs.",
                name_of(right, other).text, name.text);
        memcpy(s.a[p], right->a[p], sizeof s.a[p]);
        suggest(f, is_new(search, &s), format, name.text, sum_of(s.b[p], 'B').text,
                sum_of(right->b[p], 'B').text);
    }
}

/** The same with a product as a factor, or a sum where a product should be. Stops at the second
 * one that fits: then neither is reported. */
static void try_stale_products(struct search *search, const struct level_scheme *right)
{
    enum { MOST = 64 }; /* rows; larger matrices take too long */
    const struct evidence *e = search->e;
    struct findings *f = &search->found;
    struct stale stale;
    if (e->t->levels != 1 || e->m > MOST || e->m != e->k || e->n != e->k)
        return;
    for (stale.product = 0; stale.product < 7; stale.product++)
        for (int kind = 0; kind < KINDS_OF_STALE; kind++)
            for (stale.other = 0; stale.other < 7 && f->count < 2; stale.other++) {
                struct name name = name_of(right, stale.product),
                            other = name_of(right, stale.other);
                stale.kind = kind;
                if (stale.other == stale.product || !stale_fits(right, e, &stale))
                    continue;
                if (kind == LEFT_IS_PRODUCT || kind == RIGHT_IS_PRODUCT)
                    suggest(f, true, "%s is made with %s in the place of its factor from %c.",
                            name.text, other.text, kind == LEFT_IS_PRODUCT ? 'A' : 'B');
                else
                    suggest(f, true, "%s is where %s belongs.",
                            kind == IS_LEFT_SUM ? sum_of(right->a[stale.other], 'A').text
                                                : sum_of(right->b[stale.other], 'B').text,
                            name.text);
            }
}

/** A product that goes into another quadrant of C than it should. */
static void try_moves(struct search *search, const struct level_scheme *right, int p)
{
    for (int q = 0; q < QUADRANTS; q++)
        for (int to = 0; to < QUADRANTS; to++) {
            struct level_scheme s = *right;
            if (!s.c[q][p] || s.c[to][p])
                continue;
            s.c[to][p] = s.c[q][p];
            s.c[q][p] = 0;
            suggest(&search->found, is_new(search, &s), "%s is in C%s, and belongs into C%s.",
                    name_of(right, p).text, quadrant_names[to], quadrant_names[q]);
        }
}

/** A matrix whose quadrants 12 and 21 are exchanged wherever they are read. */
static void try_exchange(struct search *search, const struct level_scheme *right, char matrix)
{
    struct level_scheme s = *right;
    for (int p = 0; p < PRODUCTS; p++) {
        int *side = matrix == 'A' ? s.a[p] : s.b[p], was = side[1];
        side[1] = side[2];
        side[2] = was;
    }
    suggest(&search->found, is_new(search, &s), "%c12 and %c21 are exchanged.", matrix, matrix);
}

/** One of Winograd's sums made with + for - or the other way round. */
static void try_winograd_sums(struct search *search)
{
    for (int i = 0; i < 8; i++) {
        struct two_terms x = winograd_sums[i / 4][i % 4];
        x.sign = -x.sign;
        struct level_scheme s = winograd_with(i / 4, i % 4, x);
        suggest(&search->found, is_new(search, &s),
                "The sum S%d has + where - belongs, or - where + does.", i + 1);
    }
}

static void try_single_changes(struct search *search, const struct method *method)
{
    const struct level_scheme *s = &method->scheme;
    if (method->names_its_sums)
        try_winograd_sums(search);
    try_exchange(search, s, 'A');
    try_exchange(search, s, 'B');
    for (int p = 0; p < method->products; p++) {
        try_sign(search, s, p);
        try_moves(search, s, p);
        try_operands(search, s, p, 'A');
        try_operands(search, s, p, 'B');
        for (int q = 0; q < QUADRANTS; q++)
            try_uses(search, s, q, p);
        if (method->has_temporaries)
            try_stale(search, s, p);
    }
    if (!search->found.count && method->has_temporaries)
        try_stale_products(search, s);
}

struct findings explain_levels(const struct evidence *e, bool several)
{
    struct search search;
    long whole = (1L << e->t->levels) - 1, sides = e->m | e->n | e->k;
    if (!e->count || e->t->levels < 1 || sides & whole)
        return (struct findings){0};
    struct method method = method_of_bound(e->t->bound.scheme);
    if (!method.products)
        return (struct findings){0};
    if (search_begin(&search, e)) {
        if (!several)
            try_single_changes(&search, &method);
        else if (e->t->levels == 1)
            try_several_changes(&search, &method);
    }
    search_end(&search);
    return search.found;
}
