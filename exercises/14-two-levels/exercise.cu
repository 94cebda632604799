/**
 * @file
 * Exercise 14-two-levels: Strassen's recursion with two temporaries on each level.
 */
#include "exercises/blocks.cuh"

/* YOUR CODE: c = a * b with so many levels, in this workspace */
static void multiply(struct block a, struct block b, struct block c, int levels, real *workspace) {}
/* END */

static void multiply_yours(const struct problem *p, void *workspace)
{
    count_from_zero();
    multiply(block_a(p), block_b(p), block_c(p), p->levels, (real *)workspace);
}

/* Elements of workspace for p->n and p->levels. */
static size_t workspace_yours(const struct problem *p)
{
    /* YOUR CODE: all levels together */
    return 0;
    /* END */
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your recursion",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = BOUND_STRASSEN,
     .shapes = {.square = 1, .multiple = 16}},
    {0},
};

static const struct variant leaves[] = {
    {.name = "tiles", .sentence = "16 x 16 tiles in shared memory", .multiply = NULL}, {0}};

const struct step STEP = {
    .name = "14-two-levels",
    .idea = "Strassen's recursion with two temporaries on each level",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 32,
    .note = counted_note,
};
