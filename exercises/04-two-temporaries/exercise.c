/**
 * @file
 * Exercise 04-two-temporaries: Strassen's level in two quadrants of workspace.
 */
#include "exercises/counted.h"

/* Elements of workspace for one level on n x n matrices. */
static size_t workspace_yours(const struct problem *p)
{
    /* YOUR CODE: quadrants have (n / 2) * (n / 2) elements */
    return 0;
    /* END */
}

static void multiply_yours(const struct problem *p, void *room)
{
    real *workspace = room;
    struct quadrants A = quadrants_of(block_a(p)), B = quadrants_of(block_b(p)),
                     C = quadrants_of(block_c(p));
    long h = p->n / 2;
    count_from_zero();
    /* YOUR CODE: take_block(&workspace, h, h) gives the next temporary */
    /* END */
}

static int one(const struct problem *p) { return 1; }

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your order",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .bound = BOUND_STRASSEN,
     .levels = one,
     .shapes = {.square = 1, .multiple = 1}},
    {0},
};

static const struct variant leaves[] = {
    {.name = "ikj", .sentence = "the triple loop of step 01", .multiply = multiply_ikj}, {0}};

const struct step STEP = {
    .name = "04-two-temporaries",
    .idea = "Strassen's level in two quadrants of workspace",
    .variants = variants,
    .leaves = leaves,
    .default_n = 64,
    .default_tau1 = 1,
    .note = counted_note,
};
