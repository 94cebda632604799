/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 24-wrong-coefficient: the equations that prove a method, and the coefficient that
 * breaks them.
 */
#include <stdint.h>
#include <stdio.h>

#include "common/scheme.h"
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

/* ---- Right tables: Strassen's, with other bases and the products in any order ---- */

static uint64_t state;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)n);
}

/* Adds a multiple of one row of quadrants to the other one; of one column, if `step` is 1. */
static void add_line(int64_t x[BLOCKS], int step, int from, int quarters)
{
    int across = 3 - step;
    x[(1 - from) * step] += x[from * step] * quarters / 4;
    x[(1 - from) * step + across] += x[from * step + across] * quarters / 4;
}

/* What is added on one side of the products is taken back on the other: in A's and C's rows,
   in A's columns and B's rows, or in B's and C's columns. */
static void change_basis(struct table *t, enum side one, int step, enum side other,
                         int other_step)
{
    int from = below(2), quarters = (below(2) ? 4 : -4) >> (t->shift ? below(3) : 0);
    for (int p = 0; p < PRODUCTS; p++) {
        add_line(t->of[one][p], step, from, quarters);
        add_line(t->of[other][p], other_step, 1 - from, -quarters);
    }
}

static struct table right_table(int shift)
{
    struct table t = {.shift = shift};
    int first = below(PRODUCTS), step = 1 + below(PRODUCTS - 1);
    for (int p = 0; p < PRODUCTS; p++) {
        const struct scheme_product *from = &strassen_scheme.product[p];
        int to = (first + p * step) % PRODUCTS;
        for (int i = 0; i < BLOCKS; i++) {
            t.of[A][to][i] = (int64_t)from->a[i] * (1 << shift);
            t.of[B][to][i] = (int64_t)from->b[i] * (1 << shift);
            t.of[C][to][i] = (int64_t)from->c[i] * (1 << shift);
        }
    }
    change_basis(&t, A, 2, C, 2);
    change_basis(&t, A, 1, B, 2);
    change_basis(&t, B, 1, C, 1);
    return t;
}

/* ---- What the answers must be ---- */

static int wrong_equations, wrong_products;
static char example[128];

static void ask(const char *what, const struct table *t, int equation, int product)
{
    int found = first_wrong(t), named = wrong_product(*t);
    if (found != equation && wrong_equations++ == 0)
        snprintf(example, sizeof example, " example=%s_with_shift_%d:_equation_%d_and_not_%d",
                 what, t->shift, equation, found);
    if (named != product && wrong_products++ == 0 && wrong_equations == 0)
        snprintf(example, sizeof example, " example=%s_with_shift_%d:_product_%d_and_not_%d",
                 what, t->shift, product, named);
}

/* Makes one coefficient wrong, then one of another product, too; leaves out a product's sum.
   Each table is new, so that none can be compared with one before. */
static void ask_all(int shift, int side, int p, int i)
{
    struct table t = right_table(shift);
    ask("a_right_table", &t, NONE, NONE);
    t = right_table(shift);
    int64_t *x = &t.of[side][p][i];
    /* Its sign, left out, or a little more. The first equation that fails has this quadrant
       and the first ones of the product's other two sides. */
    *x = *x && below(2) ? -*x : *x && below(2) ? 0 : *x + (below(2) ? 1 : 1 << shift);
    int at[3] = {0};
    for (int s = A; s <= C; s++)
        while (s == side ? at[s] < i : t.of[s][p][at[s]] == 0)
            at[s]++;
    ask("one_wrong_coefficient", &t, (at[A] * BLOCKS + at[B]) * BLOCKS + at[C], p);
    t.of[side][(p + 1 + below(PRODUCTS - 1)) % PRODUCTS][i] += 1 << shift;
    ask("two_wrong_coefficients", &t, first_wrong(&t), NONE);
    t = right_table(shift);
    int left_out = 0;
    for (int j = 0; j < BLOCKS; j++)
        left_out += t.of[side][p][j] != 0, t.of[side][p][j] = 0;
    ask("a_row_of_zeros", &t, first_wrong(&t), left_out == 1 ? p : NONE);
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    static const int shifts[] = {0, 6, 12};
    state = 1, wrong_equations = wrong_products = 0, example[0] = '\0';
    for (long l = 0; l < p.a.cols; l++)
        state = state * 31 + (uint64_t)(int64_t)(p.a.at[l] * 0x1p20f);
    for (int at = 0; at < 3 * PRODUCTS * BLOCKS; at++)
        for (int i = 0; i < 3; i++)
            ask_all(shifts[i], at % 3, at / 3 % PRODUCTS, at / 3 / PRODUCTS);
    multiply_ikj(ctx, p, levels, workspace);
}

static const char *note(void)
{
    static char text[256];
    snprintf(text, sizeof text, "wrong_equations=%d wrong_products=%d%s", wrong_equations,
             wrong_products, example);
    return text;
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
    .note = note,
};
