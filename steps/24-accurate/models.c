/* SPDX-License-Identifier: MIT */
/** @file models.c
 * --tables: what follows from the tables alone.
 */
#include <stdio.h>

#include "tables.h"

static const struct scheme *const all[] = {&strassen_scheme, &winograd_scheme, &dps_scheme};

int print_tables(const struct options *o)
{
    (void)o;
    bool all_right = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct scheme *s = all[i];
        struct scheme_work work = scheme_work(s);
        char message[256] = "all equations hold";
        bool right = scheme_is_right(s, message, sizeof message);
        all_right = all_right && right;
        printf("%s: %d products of %d x %d by %d x %d blocks: %s\n", s->name, s->products, s->m,
               s->k, s->k, s->n, message);
        printf("  operations grow like n^%.3f; a level adds %d sums and reads and writes %d "
               "blocks\n",
               scheme_exponent(s), work.additions,
               work.transfers[0] + work.transfers[1] + work.transfers[2]);
        printf("  growth of errors, maximum norm: %g (", scheme_growth(s));
        for (int q = 0; q < s->m * s->n; q++)
            printf("%s%g", q ? ", " : "", scheme_stability(s, q));
        printf(" in C's blocks); 2-norm: %.1f\n", scheme_growth_in_2_norm(s));
        printf("  average growth on random numbers, a level: %.2f\n", scheme_average_growth(s));
    }
    return all_right ? EXIT_RIGHT : EXIT_WRONG;
}
