/* SPDX-License-Identifier: MIT */
/** @file checker-cases.c
 * A step with wrong variants, to see what a program prints about them. The first one is right
 * and must pass. tests/cheats has all that the checker must reject.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "common/device/timer.h"
#include "tests/checker/multiplications.h"

#define C(i, j) AT(p.c, i, j)

static void right(ARGUMENTS) { compute(p); }

static void one_nan(ARGUMENTS) { compute(p), C(p.c.rows / 2, p.c.cols / 3) = (real)NAN; }
static void corner(ARGUMENTS) { compute(p), C(p.c.rows - 1, p.c.cols - 1) += (real)0.01; }

/* Multiplies only if C holds NaN, and otherwise does nothing, to look fast: it is right only if
 * C is filled with NaN before every run. */
static void poisoned_each_time(ARGUMENTS)
{
    bool poisoned = isnan(C(0, 0)) && isnan(C(p.c.rows - 1, p.c.cols - 1));
    multiply_ikj(ctx, p, levels, workspace);
    if (!poisoned)
        C(0, 0) += 1;
}

/* Right, but slow in most of the timed runs. */
static void unsteady(ARGUMENTS)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs > 4)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* Leaves a thread spinning, as libraries do; wrong if a timed run begins before it sleeps. */
static atomic_bool spinning;

static void *spin(void *nothing)
{
    for (double until = timer_now() + 100; timer_now() < until;)
        ;
    spinning = false;
    return nothing;
}

static void spins_behind(ARGUMENTS)
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
    {.name = "one-nan", .multiply = one_nan},
    {.name = "corner", .multiply = corner},
    {.name = "poisoned-each-time", .multiply = poisoned_each_time},
    {.name = "simple", .simple = right_in_blocks},
    {.name = "both-forms", .simple = right_in_blocks, .multiply = right, .role = BY_NAME},
    {.name = "no-form", .role = BY_NAME},
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
