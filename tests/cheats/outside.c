/* SPDX-License-Identifier: MIT */
/** @file outside.c
 * Cheats and mistakes that touch memory that is not theirs (guard cells, the operands) or read
 * memory that was never written.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "cheats.h"
#include "tests/checker/multiplications.h"

#define C(i, j) AT(p.c, i, j)

static void guard_before(ARGUMENTS) { compute(p), ((real *)p.c.at)[-1] = 0; }
static void guard_in_row(ARGUMENTS) { compute(p), C(1, p.c.cols) = 0; }

/* As a loop with `i <= p->m` does: it multiplies A's guards by B and stores into C's guards. */

static void column_too_many(ARGUMENTS) { p.c.cols++, compute(p); }

static void adds_to_guards(ARGUMENTS)
{
    multiply_ikj(ctx, p, levels, workspace);
    for (long j = 0; j < p.c.cols; j++)
        C(p.c.rows, j) += 1;
}

static void copies_a_guard(ARGUMENTS)
{
    compute(p), memcpy((real *)p.c.at - 1, (const real *)p.a.at - 1, sizeof(real));
}

/* Writes there in one timed run only. Four runs come before: integers, all bits, the first, a
 * warm-up. */
static void guard_in_one_run(ARGUMENTS)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs == 6)
        C(p.c.rows, 0) = 0;
}

/* Changes A, B and the cells around A in one timed run; the next run has new ones. */
static void a_in_one_run(ARGUMENTS)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs == 6)
        ((real *)p.a.at)[p.a.ld] *= 2;
}

static void guard_of_a_in_one_run(ARGUMENTS)
{
    static int runs;
    multiply_ikj(ctx, p, levels, workspace);
    if (++runs == 6)
        ((real *)p.a.at)[-1] = 1;
}

static void reads_a_term_too_many(ARGUMENTS) { p.a.cols++, compute(p); }
static void changes_a(ARGUMENTS) { compute(p), ((real *)p.a.at)[1] = (real)0.5; }
static void changes_b(ARGUMENTS) { compute(p), ((real *)p.b.at)[p.b.ld] += 1; }

/* Leaves A with fewer bits than it had. */
static void rounds_a(ARGUMENTS)
{
    multiply_ikj(ctx, p, levels, workspace);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++) {
            volatile real shifted = AT(p.a, i, l) + 4096;
            ((real *)p.a.at)[i * p.a.ld + l] = shifted - 4096;
        }
}

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

static void writes_guard_of_b(ARGUMENTS)
{
    compute(p), ((real *)p.b.at)[p.a.cols * p.b.ld] = 0;
}

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

#define WITH_WORKSPACE(f) .variant = {.multiply = f, .workspace = four_elements}
#define WITHOUT(f)        .variant = {.multiply = f}

const struct cheat OUTSIDE[] = {
    {"honest-with-workspace", NULL, NULL, WITH_WORKSPACE(honest)},
    {"guard-before", "C was written outside its elements: cell 1 before the first row", NULL,
     WITHOUT(guard_before)},
    {"guard-in-row", "C was written outside its elements: row 1, column 40", "--ld-extra 2",
     WITHOUT(guard_in_row)},
    {"column-too-many", "C was written outside its elements: row 0, column 40", "--ld-extra 1",
     WITHOUT(column_too_many)},
    {"adds-to-guards", "C was written outside its elements", NULL, WITHOUT(adds_to_guards)},
    {"copies-a-guard", "C was written outside its elements: cell 1 before", NULL,
     WITHOUT(copies_a_guard)},
    {"guard-in-one-run", "(timed run 2", NULL, WITHOUT(guard_in_one_run)},
    {"a-in-one-run", ": A was changed", NULL, WITHOUT(a_in_one_run)},
    {"guard-of-a-in-one-run", ": A was changed", NULL, WITHOUT(guard_of_a_in_one_run)},
    {"reads-a-term-too-many", "1600 of 1600 elements wrong", "--ld-extra 1",
     WITHOUT(reads_a_term_too_many)},
    {"changes-a", "A was changed", NULL, WITHOUT(changes_a)},
    {"changes-b", "B was changed", NULL, WITHOUT(changes_b)},
    {"rounds-a", "on numbers that use all bits: A was changed", NULL, WITHOUT(rounds_a)},
    {"loses-a-sign", "B was changed", NULL, WITHOUT(loses_a_sign)},
    {"writes-guard-of-b", "B was changed", NULL, WITHOUT(writes_guard_of_b)},
    {"leaves-a-rounding-mode", "another rounding mode was left", NULL,
     WITHOUT(leaves_a_rounding_mode)},
    {"workspace-over", " bytes was written outside: element 1 after its last", NULL,
     WITH_WORKSPACE(workspace_over)},
    {"workspace-under", " bytes was written outside: element 1 before its first", NULL,
     WITH_WORKSPACE(workspace_under)},
    {"workspace-of-zeros", "1 of 1600 elements wrong", NULL,
     WITH_WORKSPACE(workspace_of_zeros)},
    {"workspace-of-last-time", "(timed run 1", NULL, WITH_WORKSPACE(workspace_of_last_time)},
    {0},
};
