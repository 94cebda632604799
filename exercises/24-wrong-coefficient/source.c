/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 24-wrong-coefficient: the equations that prove a method, and the coefficient that
 * breaks them.
 */
#include <stdint.h>
#include <string.h>

#include "exercises/apart.h"
#include "exercises/questions.h"
#include "steps/01-cpu-naive/ikj.h"

enum { PRODUCTS = 7, BLOCKS = 4, NONE = -1 };
enum side { A, B, C };

/* Seven products of quadrants. Quadrants 0 to 3 are 11, 12, 21, 22. Product p is a sum of A's
   quadrants with the coefficients of[A][p], times a sum of B's with of[B][p]. C's quadrant q
   gets of[C][p][q] times it. Each coefficient is its integer divided by 2^shift. */
struct table {
    int shift;
    int64_t of[3][PRODUCTS][BLOCKS]; /* the integers; sums of their products fit in 64 bits */
};

/* Equation (i * 4 + j) * 4 + q: over all products, A's quadrant i times B's quadrant j goes
   into C's quadrant q once if the quadrants fit, and otherwise never. */
/* YOUR CODE: the number of the first equation that does not hold; NONE if all hold */
/* STUB: static int first_wrong(const struct table *t) */
/* STUB: { */
/* STUB:     return NONE; */
/* STUB: } */
/* The left side minus the right one. All coefficients are multiplied by 2^shift, so both
   sides are multiplied by 2^(3 shift). */
static int64_t surplus(const struct table *t, int i, int j, int q)
{
    int fits = i % 2 == j / 2 && i / 2 == q / 2 && j % 2 == q % 2;
    int64_t sum = 0;
    for (int p = 0; p < PRODUCTS; p++)
        sum += t->of[A][p][i] * t->of[B][p][j] * t->of[C][p][q];
    return sum - ((int64_t)fits << 3 * t->shift);
}

static int first_wrong(const struct table *t)
{
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++)
            for (int q = 0; q < BLOCKS; q++)
                if (surplus(t, i, j, q) != 0)
                    return (i * BLOCKS + j) * BLOCKS + q;
    return NONE;
}
/* END */

/* YOUR CODE: the product that has the only wrong coefficient; NONE if there is none */
/* STUB: static int wrong_product(struct table t) */
/* STUB: { */
/* STUB:     return NONE; */
/* STUB: } */
static int wrong_product(struct table t)
{
    int wrong = first_wrong(&t);
    if (wrong == NONE)
        return NONE;
    const int at[3] = {wrong / 16, wrong / 4 % 4, wrong % 4};
    int64_t too_much = surplus(&t, at[A], at[B], at[C]);
    for (int side = A; side <= C; side++)
        for (int p = 0; p < PRODUCTS; p++) {
            int next = (side + 1) % 3, last = (side + 2) % 3;
            int64_t *x = &t.of[side][p][at[side]], before = *x;
            int64_t others = t.of[next][p][at[next]] * t.of[last][p][at[last]];
            if (others == 0)
                continue;
            *x -= too_much / others; /* now this equation holds; do the others? */
            if (first_wrong(&t) == NONE)
                return p;
            *x = before;
        }
    return NONE;
}
/* END */

/* The checker makes the tables (exercises/questions.c), and keeps the right answers. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    const struct question_table *from;
    int equation = NONE, product = NONE;
    apart_begin(sizeof(real), ONLY_ASK);
    while ((from = apart_next(QUESTION_TABLE, equation, product))) {
        struct table t = {.shift = from->shift};
        memcpy(t.of, from->of, sizeof t.of);
        equation = first_wrong(&t), product = wrong_product(t);
    }
    multiply_ikj(ctx, p, levels, workspace);
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your two functions, asked about a thousand tables",
     .multiply = multiply_yours},
    {0}};

const struct step STEP = {
    .name = "24-wrong-coefficient",
    .idea = "the equations that prove a method, and the coefficient that breaks them",
    .variants = variants,
    .default_n = 16,
    .note = apart_note,
};
