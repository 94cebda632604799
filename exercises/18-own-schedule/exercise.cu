/**
 * @file
 * Exercise 18-own-schedule: seven products in an order of your own.
 */
#include "exercises/blocks.cuh"

/* YOUR CODE: one level, c = a * b, and the elements of workspace it takes for n x n matrices */
static void one_level(struct block a, struct block b, struct block c, real *workspace) {}

static size_t elements(long n) { return 0; }
/* END */

static void multiply_yours(const struct problem *p, void *workspace)
{
    count_from_zero();
    one_level(block_a(p), block_b(p), block_c(p), (real *)workspace);
}

static size_t workspace_yours(const struct problem *p) { return elements(p->n); }

static int levels_one(const struct problem *p) { return 1; }

/* Seven products of 16 x 16 tiles and eighteen sums of three passes. */
static struct cost cost_yours(const struct problem *p)
{
    double q = (double)p->n * (double)p->n / 4, h = (double)p->n / 2;
    return (struct cost){14 * h * h * h + 18 * q, 7 * (q * h / 128 + q / 16) + 18 * 3 * q / 16, -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your schedule",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     .bound = BOUND_WINOGRAD,
     .levels = levels_one,
     .shapes = {.square = 1, .multiple = 1}},
    {0},
};

static const struct variant leaves[] = {
    {.name = "tiles", .sentence = "16 x 16 tiles in shared memory", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "18-own-schedule",
    .idea = "seven products in an order of your own",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
