/* SPDX-License-Identifier: MIT */
/** @file checker-cases.c
 * A step whose variants are wrong, each in one classic way: the checker must reject every one
 * of them and say why. The first is right and must pass.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/device/timer.h"
#include "tests/multiplications.h"

#define C(i, j) AT(p.c, i, j)

DOES(right, multiply_ikj(ctx, p, levels, workspace))

MULTIPLICATION(untouched) {}

RIGHT_THEN(one_nan, C(p.c.rows / 2, p.c.cols / 3) = (real)NAN)
RIGHT_THEN(one_infinity, C(0, p.c.cols - 1) = (real)INFINITY)
RIGHT_THEN(corner, C(p.c.rows - 1, p.c.cols - 1) += (real)0.01)
INSTEAD(missing_last_row, q.c.rows--)

/* C(i, j) = sum of a(l, i) b(l, j): A read with its indices swapped. */
MULTIPLICATION(swapped_indices)
{
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++) {
            C(i, j) = 0;
            for (long l = 0; l < p.a.cols; l++)
                C(i, j) += AT(p.a, l, i) * AT(p.b, l, j);
        }
}

INSTEAD(dropped_tail, q.a.cols--)

/* Exact on integers, too coarse on fractions: only the second tier can see it. */
MULTIPLICATION(reduced_precision)
{
    multiply_ikj(ctx, p, levels, workspace);
    real coarse = sizeof(real) == 4 ? (real)1e-3 : (real)1e-9;
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++)
            if (C(i, j) != (real)(long)C(i, j))
                C(i, j) += coarse;
}

RIGHT_THEN(guard_before, ((real *)p.c.at)[-1] = 0)
RIGHT_THEN(guard_after, ((real *)p.c.at)[p.c.rows * p.c.ld] = 0)
RIGHT_THEN(guard_in_row, C(1, p.c.cols) = 0)

/* One row too many: it reads A's guards and writes C's. */
INSTEAD(row_too_many, q.c.rows++)

/* Adds to C's guards; the NaN in them must not hide that. */
MULTIPLICATION(added_to_guards)
{
    multiply_ikj(ctx, p, levels, workspace);
    for (long j = 0; j < p.c.cols; j++)
        C(p.c.rows, j) += 1;
}

/* Copies A's guards into C's, as code does that reads and writes one cell too far. */
RIGHT_THEN(copied_guard, memcpy((real *)p.c.at - 1, (const real *)p.a.at - 1, sizeof(real)))
RIGHT_THEN(changed_a, ((real *)p.a.at)[1] = 0.5f)
RIGHT_THEN(changed_b, ((real *)p.b.at)[p.b.ld] += 1)

MULTIPLICATION(wrong_again)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs > 3) /* on integers, on numbers that use all bits, on random data */
        C(3, 3) = 0;
}

/* Right where n is a multiple of eight: the columns behind the last whole tile are left alone.
 */
INSTEAD(whole_tiles, q.c.cols = p.c.cols / 8 * 8)

/* Right where the rows of B follow each other without a gap. */
INSTEAD(dense_b, q.b.ld = p.c.cols)

/* Right where m = n. */
MULTIPLICATION(square)
{
    struct product square = p;
    square.c.rows = p.c.cols;
    if (p.c.cols < p.c.rows)
        multiply_ikj(ctx, square, levels, workspace);
    else
        multiply_ikj(ctx, p, levels, workspace),
            C(p.c.rows - 1, p.c.cols - 1) += (real)(p.c.cols - p.c.rows);
}

/* Multiplies only if C holds NaN, and otherwise does nothing, to look fast: it is right only if
 * C is filled with NaN before every run. */
MULTIPLICATION(poisoned_each_time)
{
    bool poisoned = isnan(C(0, 0)) && isnan(C(p.c.rows - 1, p.c.cols - 1));
    multiply_ikj(ctx, p, levels, workspace);
    if (!poisoned)
        C(0, 0) += 1;
}

static size_t one_element(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p, (void)levels; /* always the same */
    return 1;
}

/* Relies on new memory being zero. */
RIGHT_THEN(unwritten_workspace, C(0, 0) += workspace[0])

/* Both write everything that they read. */
MULTIPLICATION(workspace_overrun)
{
    workspace[0] = workspace[1] = 0;
    multiply_ikj(ctx, p, levels, workspace);
}

MULTIPLICATION(workspace_underrun)
{
    workspace[-1] = 0;
    multiply_ikj(ctx, p, levels, workspace);
}

/* Right, and slow in most of the timed runs. */
MULTIPLICATION(unsteady)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs > 4)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* Leaves a thread spinning, as libraries do; wrong where a timed run begins before it sleeps.
 */
static atomic_bool spinning;

static void *spin(void *nothing)
{
    for (double until = timer_now() + 100; timer_now() < until;)
        ;
    spinning = false;
    return nothing;
}

MULTIPLICATION(spins_behind)
{
    static int runs;
    pthread_t thread;
    bool early = ++runs > 3 && p.c.rows == p.c.cols && spinning;
    multiply_ikj(ctx, p, levels, workspace);
    if (early)
        C(0, 0) = 0;
    spinning = true;
    if (pthread_create(&thread, NULL, spin, NULL) == 0)
        pthread_detach(thread);
}

static void right_in_blocks(struct block A, struct block B, struct block C)
{
    clear(C);
    add_ikj(A, B, C);
}

static const struct variant variants[] = {
    {.name = "right", .multiply = right},
    {.name = "unsteady", .multiply = unsteady},
    {.name = "spins-behind", .multiply = spins_behind},
    {.name = "untouched", .multiply = untouched},
    {.name = "one-nan", .multiply = one_nan},
    {.name = "one-infinity", .multiply = one_infinity},
    {.name = "corner", .multiply = corner},
    {.name = "missing-last-row", .multiply = missing_last_row},
    {.name = "swapped-indices", .multiply = swapped_indices},
    {.name = "dropped-tail", .multiply = dropped_tail},
    {.name = "reduced-precision", .multiply = reduced_precision},
    {.name = "guard-before", .multiply = guard_before},
    {.name = "guard-after", .multiply = guard_after},
    {.name = "guard-in-row", .multiply = guard_in_row},
    {.name = "row-too-many", .multiply = row_too_many},
    {.name = "added-to-guards", .multiply = added_to_guards},
    {.name = "copied-guard", .multiply = copied_guard},
    {.name = "changed-a", .multiply = changed_a},
    {.name = "changed-b", .multiply = changed_b},
    {.name = "wrong-again", .multiply = wrong_again},
    {.name = "whole-tiles", .multiply = whole_tiles},
    {.name = "dense-b", .multiply = dense_b},
    {.name = "square", .multiply = square},
    {.name = "poisoned-each-time", .multiply = poisoned_each_time},
    {.name = "simple", .simple = right_in_blocks},
    {.name = "both-forms", .simple = right_in_blocks, .multiply = right, .role = BY_NAME},
    {.name = "no-form", .role = BY_NAME},
    {.name = "unwritten-workspace", .multiply = unwritten_workspace, .workspace = one_element},
    {.name = "workspace-overrun", .multiply = workspace_overrun, .workspace = one_element},
    {.name = "workspace-underrun", .multiply = workspace_underrun, .workspace = one_element},
    {0},
};

/* An action runs in the precision that is asked for. */
static int say_size(const struct options *o)
{
    (void)o;
    printf("elements of %d bytes\n", (int)sizeof(real));
    return EXIT_RIGHT;
}

static const struct action actions[] = {
    {.name = "size", .help = "say how large an element is", .run = say_size}, {0}};

const struct step STEP = {
    .actions = actions,
    .name = "checker-cases",
    .idea = "wrong answers that the checker must reject",
    .variants = variants,
    .default_n = 40,
};
