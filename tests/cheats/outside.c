/* SPDX-License-Identifier: MIT */
/** @file outside.c
 * Cheats and mistakes that touch memory that is not theirs (guard cells, the operands) or read
 * memory that was never written.
 */
#include <fenv.h>
#include <string.h>

#include "cheats.h"
#include "tests/checker/multiplications.h"

#define C(i, j) AT(p.c, i, j)

static void guard_before(ARGUMENTS) { compute(p), ((real *)p.c.at)[-1] = 0; }
static void guard_in_row(ARGUMENTS) { compute(p), C(1, p.c.cols) = 0; }

static void copies_a_guard(ARGUMENTS)
{
    compute(p), memcpy((real *)p.c.at - 1, (const real *)p.a.at - 1, sizeof(real));
}

/* Changes a cell of A in one timed run, after those with integers and all bits, the first and a
   warm-up. */
static void change_in_one_run(struct product p, long cell)
{
    static int runs;
    compute(p);
    if (++runs == 6)
        ((real *)p.a.at)[cell] = 2;
}

static void a_in_one_run(ARGUMENTS) { change_in_one_run(p, p.a.ld); }
static void guard_of_a_in_one_run(ARGUMENTS) { change_in_one_run(p, -1); }

static void reads_a_term_too_many(ARGUMENTS) { p.a.cols++, compute(p); }
static void changes_b(ARGUMENTS) { compute(p), ((real *)p.b.at)[p.b.ld] += 1; }

/* Uses B as scratch and restores it, except for the sign of a zero. */
static void loses_a_sign(ARGUMENTS)
{
    multiply_ikj(ctx, p, levels, workspace);
    for (long l = 0; l < p.a.cols; l++)
        for (long j = 0; j < p.c.cols; j++) {
            real *b = (real *)p.b.at + l * p.b.ld + j;
            *b = *b == 0 ? -(real)0 : *b;
        }
}

/* Rounds all later products upwards, those of other variants, too. */
static void leaves_a_rounding_mode(ARGUMENTS) { compute(p), fesetround(FE_UPWARD); }

static size_t four_elements(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p, (void)levels; /* always the same */
    return 4;
}

static void workspace_over(ARGUMENTS) { compute(p), workspace[4] = 0; }
static void workspace_under(ARGUMENTS) { compute(p), workspace[-1] = 0; }
static void workspace_of_zeros(ARGUMENTS) { compute(p), C(0, 0) += workspace[3]; }

/* The second time it finds the zero that it left there itself. */
static void workspace_of_last_time(ARGUMENTS)
{
    static int runs;
    if (runs++ < 3)
        workspace[0] = 0;
    multiply_ikj(ctx, p, levels, workspace);
    C(0, 0) += workspace[0];
}

/* Right, and must be accepted: it writes all of the workspace, and every element of C twice. */
static void honest(ARGUMENTS)
{
    for (int i = 0; i < 4; i++)
        workspace[i] = (real)i;
    for (long i = 0; i < p.c.rows; i++)
        for (long j = 0; j < p.c.cols; j++)
            C(i, j) = workspace[j % 4];
    multiply_ikj(ctx, p, levels, workspace);
}

#define WITH_WORKSPACE .variant.workspace = four_elements

const struct cheat OUTSIDE[] = {
    {"honest-with-workspace", honest, WITH_WORKSPACE},
    {"guard-before", guard_before,
     "C was written outside its elements: cell 1 before the first row"},
    {"guard-in-row", guard_in_row, "C was written outside its elements: row 1, column 40",
     "--ld-extra 2"},
    {"copies-a-guard", copies_a_guard, "C was written outside its elements: cell 1 before"},
    {"a-in-one-run", a_in_one_run, ": A was changed"},
    {"guard-of-a-in-one-run", guard_of_a_in_one_run, ": A was changed"},
    {"reads-a-term-too-many", reads_a_term_too_many, "1600 of 1600 elements wrong",
     "--ld-extra 1"},
    {"changes-b", changes_b, "B was changed"},
    {"loses-a-sign", loses_a_sign, "B was changed"},
    {"leaves-a-rounding-mode", leaves_a_rounding_mode, "another rounding mode was left"},
    {"workspace-over", workspace_over, " bytes was written outside: element 1 after its last",
     WITH_WORKSPACE},
    {"workspace-under", workspace_under,
     " bytes was written outside: element 1 before its first", WITH_WORKSPACE},
    {"workspace-of-zeros", workspace_of_zeros, "1 of 1600 elements wrong", WITH_WORKSPACE},
    {"workspace-of-last-time", workspace_of_last_time, "(timed run 1", WITH_WORKSPACE},
    {0},
};
