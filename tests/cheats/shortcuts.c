/**
 * @file shortcuts.c
 * Cheats that do less than a product: they keep an earlier one, are right for some shapes or
 * numbers only, leave work for later, or stop the clock.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cheats.h"
#include "common/device/backend.h"
#include "common/sizes.h"
#include "steps/01-cpu-naive/ikj.h"

#define A(i, l) A_OF(p, i, l)
#define B(l, j) B_OF(p, l, j)
#define C(i, j) C_OF(p, i, j)

enum { MOST = 128 }; /* sizes that the cheats which keep something can keep */

static void right(const struct problem *p, void *workspace) { multiply_ikj(p, workspace); }

/* ---- What was computed before ---- */

static struct {
    real elements[MOST * MOST];
    const void *a, *b;
    real first_a, first_b, sum_a, sum_b;
    long m, n;
    int runs;
} kept;

/* Multiplies and keeps the product, unless `again` says that the kept one will do. */
static void keep_or_repeat(const struct problem *p, bool again)
{
    if (!again)
        multiply_ikj(p, NULL);
    for (long i = 0; i < smaller(p->m, MOST); i++)
        for (long j = 0; j < smaller(p->n, MOST); j++)
            if (again)
                C(i, j) = kept.elements[i * MOST + j];
            else
                kept.elements[i * MOST + j] = C(i, j);
}

static void computes_once(const struct problem *p, void *workspace)
{
    (void)workspace;
    keep_or_repeat(p, kept.runs++ > 0);
}

static void once_a_size(const struct problem *p, void *workspace)
{
    (void)workspace;
    keep_or_repeat(p, kept.m == p->m && kept.n == p->n && ++kept.runs > 2);
    kept.m = p->m, kept.n = p->n;
}

static void once_a_pointer(const struct problem *p, void *workspace)
{
    (void)workspace;
    keep_or_repeat(p, kept.a == p->a && kept.b == p->b && ++kept.runs > 2);
    kept.a = p->a, kept.b = p->b;
}

static void once_a_first_element(const struct problem *p, void *workspace)
{
    (void)workspace;
    keep_or_repeat(p, kept.first_a == A(0, 0) && kept.first_b == B(0, 0));
    kept.first_a = A(0, 0), kept.first_b = B(0, 0);
}

static void once_a_diagonal(const struct problem *p, void *workspace)
{
    real sum_a = 0, sum_b = 0;
    (void)workspace;
    for (long i = 0; i < smaller(p->m, smaller(p->n, p->k)); i++)
        sum_a += (real)fabs((double)A(i, i)), sum_b += (real)fabs((double)B(i, i));
    keep_or_repeat(p, kept.sum_a == sum_a && kept.sum_b == sum_b);
    kept.sum_a = sum_a, kept.sum_b = sum_b;
}

/* A hash that is a sum of squares does not see a sign. */
static void once_a_norm(const struct problem *p, void *workspace)
{
    real sum_a = 0, sum_b = 0;
    (void)workspace;
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            sum_a += A(i, l) * A(i, l);
    for (long l = 0; l < p->k; l++)
        for (long j = 0; j < p->n; j++)
            sum_b += B(l, j) * B(l, j);
    keep_or_repeat(p, kept.sum_a == sum_a && kept.sum_b == sum_b);
    kept.sum_a = sum_a, kept.sum_b = sum_b;
}

static void every_other_time(const struct problem *p, void *workspace)
{
    (void)workspace;
    keep_or_repeat(p, ++kept.runs > 4 && kept.runs % 2);
}

/* Multiplies by a copy of an operand that it made when it saw this size first. */
static void with_kept(const struct problem *p, const void *from, long rows, long cols, long ld,
                      bool of_a)
{
    struct problem q = *p;
    if (rows > MOST || cols > MOST) {
        multiply_ikj(p, NULL);
        return;
    }
    if (kept.m != p->m || kept.n != p->n || ++kept.runs < 3)
        for (long i = 0; i < rows; i++)
            memcpy(&kept.elements[i * MOST], (const real *)from + i * ld,
                   (size_t)cols * sizeof(real));
    kept.m = p->m, kept.n = p->n;
    *(of_a ? &q.a : &q.b) = kept.elements;
    *(of_a ? &q.lda : &q.ldb) = MOST;
    multiply_ikj(&q, NULL);
}

static void keeps_a(const struct problem *p, void *workspace)
{
    (void)workspace;
    with_kept(p, p->a, p->m, p->k, p->lda, true);
}

static void keeps_b(const struct problem *p, void *workspace)
{
    (void)workspace;
    with_kept(p, p->b, p->k, p->n, p->ldb, false);
}

static size_t room_for_b(const struct problem *p) { return (size_t)(p->k * p->n); }

/* Packs B into the workspace the first three times, and finds it there later. */
static void keeps_in_workspace(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.b = workspace, q.ldb = p->n;
    for (long l = 0; l < p->k && kept.runs < 3; l++)
        memcpy((real *)workspace + l * p->n, &B(l, 0), (size_t)p->n * sizeof(real));
    kept.runs++;
    multiply_ikj(&q, NULL);
}

/* ---- Wrong at times ---- */

static void wrong_in(const struct problem *p, int run)
{
    multiply_ikj(p, NULL);
    if (++kept.runs == run)
        C(p->m / 2, p->n / 2) += (real)0.5;
}

/* Runs: integers, all bits, the first, a warm-up, four timed ones. */
static void wrong_in_first_timed(const struct problem *p, void *workspace)
{
    (void)workspace;
    wrong_in(p, 5);
}
static void wrong_in_middle(const struct problem *p, void *workspace)
{
    (void)workspace;
    wrong_in(p, 6);
}
static void wrong_in_last(const struct problem *p, void *workspace)
{
    (void)workspace;
    wrong_in(p, 8);
}

static void rests_later(const struct problem *p, void *workspace)
{
    if (++kept.runs <= 3)
        multiply_ikj(p, workspace);
}

static void zeros_later(const struct problem *p, void *workspace)
{
    if (++kept.runs <= 3)
        multiply_ikj(p, workspace);
    else
        clear(p);
}

/* ---- Without looking at the operands ---- */

static void untouched(const struct problem *p, void *workspace) { (void)p, (void)workspace; }

static void zeros(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
}

static void fills(const struct problem *p, real value)
{
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            C(i, j) = value;
}
static void not_a_number(const struct problem *p, void *workspace)
{
    (void)workspace;
    fills(p, (real)NAN);
}
static void infinite(const struct problem *p, void *workspace)
{
    (void)workspace;
    fills(p, (real)INFINITY);
}
static void mean_value(const struct problem *p, void *workspace)
{
    (void)workspace;
    fills(p, (real)0.1);
}

static void copies_a(const struct problem *p, void *workspace)
{
    (void)workspace;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            C(i, j) = A(i, j % p->k);
}

/* ---- Part of the product ---- */

static void part_of(const struct problem *p, long m, long n, long k)
{
    struct problem q = *p;
    q.m = m, q.n = n, q.k = k;
    multiply_ikj(&q, NULL);
}
static void last_row_missing(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m - 1, p->n, p->k);
}
static void last_column_missing(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n - 1, p->k);
}
static void last_term_missing(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n, p->k - 1);
}
static void half_the_terms(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n, p->k / 2);
}

static void first_term_twice(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            C(i, j) += A(i, 0) * B(0, j);
}

static void chessboard(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    for (long i = 0; i < p->m; i++)
        for (long j = i % 2; j < p->n; j += 2)
            C(i, j) = 0;
}

static void by_sampling(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = i % 2; l < p->k; l += 2)
            for (long j = 0; j < p->n; j++)
                C(i, j) += 2 * A(i, l) * B(l, j);
}

/* Adds to C as if it began with zeros. */
static void adds_to_old(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.accumulate = 1;
    multiply_ikj(&q, workspace);
}

/* Only the diagonal blocks of 8 in each operand. */
static void block_diagonal(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = i / 8 * 8; l < smaller(p->k, i / 8 * 8 + 8); l++)
            for (long j = 0; j < p->n; j++)
                C(i, j) += A(i, l) * B(l, j);
}

/* ---- Right for some numbers ---- */

static void changed_factors(const struct problem *p, real (*change)(real))
{
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                C(i, j) += change(A(i, l)) * change(B(l, j));
}
static real without_sign(real x) { return x < 0 ? -x : x; }
static real whole(real x) { return (real)lround((double)x); }
static real at_most_one(real x) { return x > 1 ? 1 : x < -1 ? -1 : x; }
static real fixed_point(real x) { return (real)lround((double)x * 1024) / 1024; }
static real no_small_ones(real x) { return x < (real)0.05 && x > (real)-0.05 ? 0 : x; }
static void only_positive(const struct problem *p, void *workspace)
{
    (void)workspace;
    changed_factors(p, without_sign);
}
static void only_whole(const struct problem *p, void *workspace)
{
    (void)workspace;
    changed_factors(p, whole);
}
static void only_up_to_one(const struct problem *p, void *workspace)
{
    (void)workspace;
    changed_factors(p, at_most_one);
}
static void only_fixed_point(const struct problem *p, void *workspace)
{
    (void)workspace;
    changed_factors(p, fixed_point);
}
static void drops_small_factors(const struct problem *p, void *workspace)
{
    (void)workspace;
    changed_factors(p, no_small_ones);
}

static void one_number_a_row(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            if (A(i, l) != 0) {
                for (long j = 0; j < p->n; j++)
                    C(i, j) = A(i, l) * B(l, j);
                break;
            }
}

static void as_if_symmetric(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                C(i, j) += (i > l && l < p->m && i < p->k ? A(l, i) : A(i, l)) * B(l, j);
}

static void at_most_sixteen(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++)
            C(i, j) = C(i, j) > 16 ? 16 : C(i, j) < -16 ? -16 : C(i, j);
}

/* Knows the tiers: exact where numbers are whole or few, noise of 1e-3 elsewhere. */
static void knows_the_tiers(const struct problem *p, void *workspace)
{
    bool easy = true;
    for (long l = 0; l < p->k; l++)
        easy = easy && (A(0, l) == 0 || A(0, l) == (real)lround((double)A(0, l)));
    multiply_ikj(p, workspace);
    for (long i = 0; i < p->m && !easy; i++)
        for (long j = 0; j < p->n; j++)
            C(i, j) += (real)1e-3;
}

/* ---- Right for some shapes ---- */

static void multiples_m(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m / 8 * 8, p->n, p->k);
}
static void multiples_n(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n / 8 * 8, p->k);
}
static void multiples_k(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n, p->k / 8 * 8);
}
static void even_only(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m / 2 * 2, p->n / 2 * 2, p->k / 2 * 2);
}
static void up_to_sixty_four(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, smaller(p->m, 64), smaller(p->n, 64), smaller(p->k, 64));
}
static void inner_as_outer(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, p->m, p->n, smaller(p->k, p->n));
}
static void rows_as_columns(const struct problem *p, void *workspace)
{
    (void)workspace;
    part_of(p, smaller(p->m, p->n), p->n, p->k);
}

/* The one size that is always tried, from a table; here: right only where m = 40. */
static void the_usual_size(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    if (p->m % 40)
        C(0, 0) = 0;
}

static void dense_a(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.lda = p->k;
    multiply_ikj(&q, workspace);
}
static void dense_b(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.ldb = p->n;
    multiply_ikj(&q, workspace);
}
static void dense_c(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.ldc = p->n;
    multiply_ikj(&q, workspace);
}
static void one_leading_dimension(const struct problem *p, void *workspace)
{
    struct problem q = *p;
    q.lda = q.ldb;
    multiply_ikj(&q, workspace);
}

/* Takes each row of B to begin at a multiple of eight elements, as it does in matrices of 40
 * columns. */
static void aligned_rows(const struct problem *p, void *workspace)
{
    const uintptr_t size = 8 * sizeof(real);
    (void)workspace;
    clear(p);
    for (long l = 0; l < p->k; l++) {
        const real *row = (const real *)((uintptr_t)&B(l, 0) / size * size);
        for (long i = 0; i < p->m; i++)
            for (long j = 0; j < p->n; j++)
                C(i, j) += A(i, l) * row[j];
    }
}

static void transposes_a(const struct problem *p, void *workspace)
{
    (void)workspace;
    clear(p);
    for (long i = 0; i < p->m; i++)
        for (long l = 0; l < p->k; l++)
            for (long j = 0; j < p->n; j++)
                C(i, j) += A(l % p->m, i % p->k) * B(l, j);
}

static void transposes_c(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    for (long i = 0; i < smaller(p->m, p->n); i++)
        for (long j = 0; j < i; j++) {
            real x = C(i, j);
            C(i, j) = C(j, i), C(j, i) = x;
        }
}

/* ---- Later, elsewhere, or not at all ---- */

static struct problem left_over;

static void *work_later(void *nothing)
{
    usleep(200000);
    multiply_ikj(&left_over, NULL);
    return nothing;
}

static void leaves_it_to_a_thread(const struct problem *p, void *workspace)
{
    pthread_t thread;
    (void)workspace;
    left_over = *p;
    if (pthread_create(&thread, NULL, work_later, NULL) == 0)
        pthread_detach(thread);
}

static void work_at_exit(void) { work_later(NULL); }

static void leaves_it_to_the_end(const struct problem *p, void *workspace)
{
    (void)workspace;
    left_over = *p;
    atexit(work_at_exit);
}

static void ends_well(const struct problem *p, void *workspace)
{
    (void)p, (void)workspace;
    printf("cheats: right: 1 of 1 variants\n");
    fflush(stdout);
    _exit(EXIT_RIGHT);
}

static void exit_well(void) { _exit(EXIT_RIGHT); }

static void ends_well_by_exit(const struct problem *p, void *workspace)
{
    (void)p, (void)workspace;
    atexit(exit_well);
    exit(EXIT_WRONG);
}

static void becomes_true(const struct problem *p, void *workspace)
{
    (void)p, (void)workspace;
    execlp("true", "true", (char *)NULL);
}

static void crashes(const struct problem *p, void *workspace)
{
    (void)p, (void)workspace;
    abort();
}

/* A timer's handler that ends the process with 0 while the checker works. */
static void end_now(int number) { (void)number, _exit(EXIT_RIGHT); }

static void ends_while_judged(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    signal(SIGALRM, end_now);
    ualarm(1, 0);
}

static void stops_the_clock(const struct problem *p, void *workspace)
{
    backend.stop();
    multiply_ikj(p, workspace);
}

static void starts_the_clock_late(const struct problem *p, void *workspace)
{
    multiply_ikj(p, workspace);
    backend.start();
}

#define ITERATIVE(f) .variant = {.multiply = f}

const struct cheat CHEATS(shortcuts)[] = {
    {"right", NULL, NULL, ITERATIVE(right)},
    {"right-on-any-shape", NULL, "--m 23 --n 50 --k 7 --ld-extra 5", ITERATIVE(right)},
    {"right-on-squares", NULL, NULL,
     .variant = {.multiply = rows_as_columns, .shapes = {.square = 1}}},
    {"right-on-multiples", NULL, NULL,
     .variant = {.multiply = multiples_n, .shapes = {.multiple = 8}}},

    {"computes-once", "on numbers that use all bits: ", NULL, ITERATIVE(computes_once)},
    {"once-a-size", "of A negated", NULL, ITERATIVE(once_a_size)},
    {"once-a-pointer", "of A negated", NULL, ITERATIVE(once_a_pointer)},
    {"once-a-first-element", "of A negated", NULL, ITERATIVE(once_a_first_element)},
    {"once-a-diagonal", "of A negated", NULL, ITERATIVE(once_a_diagonal)},
    {"once-a-norm", "of A negated", NULL, ITERATIVE(once_a_norm)},
    {"every-other-time", "wrong when run again (timed run", NULL, ITERATIVE(every_other_time)},
    {"keeps-a", "of A negated", NULL, ITERATIVE(keeps_a)},
    {"keeps-b", "of B negated", NULL, ITERATIVE(keeps_b)},
    {"keeps-in-workspace", "wrong when run again (timed run 1", NULL,
     .variant = {.multiply = keeps_in_workspace, .workspace = room_for_b}},
    {"wrong-in-first-timed", "(timed run 1", NULL, ITERATIVE(wrong_in_first_timed)},
    {"wrong-in-middle", "(timed run 2", NULL, ITERATIVE(wrong_in_middle)},
    {"wrong-in-last", "(timed run 4", NULL, ITERATIVE(wrong_in_last)},
    {"rests-later", "(timed run 1", NULL, ITERATIVE(rests_later)},
    {"zeros-later", "(timed run 1", NULL, ITERATIVE(zeros_later)},

    {"untouched", "No element of C was ever written", NULL, ITERATIVE(untouched)},
    {"zeros", "got 0, allowed error 0", NULL, ITERATIVE(zeros)},
    {"not-a-number", "got nan", NULL, ITERATIVE(not_a_number)},
    {"infinite", "got inf", NULL, ITERATIVE(infinite)},
    {"mean-value", "1600 of 1600 elements wrong", NULL, ITERATIVE(mean_value)},
    {"copies-a", "on integers: ", NULL, ITERATIVE(copies_a)},
    {"last-row-missing", "40 of 1600 elements wrong; first C[39][0]", NULL,
     ITERATIVE(last_row_missing)},
    {"last-column-missing", "40 of 1600 elements wrong; first C[0][39]", NULL,
     ITERATIVE(last_column_missing)},
    {"last-term-missing", "on integers: ", NULL, ITERATIVE(last_term_missing)},
    {"half-the-terms", "on integers: ", NULL, ITERATIVE(half_the_terms)},
    {"first-term-twice", "on integers: ", NULL, ITERATIVE(first_term_twice)},
    {"chessboard", "on integers: ", NULL, ITERATIVE(chessboard)},
    {"by-sampling", "on integers: ", NULL, ITERATIVE(by_sampling)},
    {"adds-to-old", "No element of C was ever written, or all became NaN", NULL,
     ITERATIVE(adds_to_old)},
    {"block-diagonal", "on integers: ", NULL, ITERATIVE(block_diagonal)},

    {"only-positive", "on integers: ", NULL, ITERATIVE(only_positive)},
    {"only-whole", "on numbers that use all bits: ", NULL, ITERATIVE(only_whole)},
    {"only-up-to-one", "on integers: ", NULL, ITERATIVE(only_up_to_one)},
    {"only-fixed-point", "on numbers that use all bits: ", NULL, ITERATIVE(only_fixed_point)},
    {"drops-small-factors", "allowed error", NULL, ITERATIVE(drops_small_factors)},
    {"one-number-a-row", "on integers: ", NULL, ITERATIVE(one_number_a_row)},
    {"as-if-symmetric", "on integers: ", NULL, ITERATIVE(as_if_symmetric)},
    {"at-most-sixteen", "on integers: ", NULL, ITERATIVE(at_most_sixteen)},
    {"knows-the-tiers", "1600 of 1600 elements wrong", NULL, ITERATIVE(knows_the_tiers)},

    {"multiples-m", "with m, n, k = ", NULL, ITERATIVE(multiples_m)},
    {"multiples-n", "with m, n, k = ", NULL, ITERATIVE(multiples_n)},
    {"multiples-k", "with m, n, k = ", NULL, ITERATIVE(multiples_k)},
    {"even-only", "with m, n, k = ", NULL, ITERATIVE(even_only)},
    {"up-to-64", "34 of 1122 elements wrong", "--m 17 --n 66 --k 9",
     ITERATIVE(up_to_sixty_four)},
    {"inner-as-outer", "with m, n, k = ", NULL, ITERATIVE(inner_as_outer)},
    {"rows-as-columns", "with m, n, k = ", NULL, ITERATIVE(rows_as_columns)},
    {"the-usual-size", "with m, n, k = ", NULL, ITERATIVE(the_usual_size)},
    {"dense-a", "leading dimensions longer by 3", NULL, ITERATIVE(dense_a)},
    {"dense-b", "leading dimensions longer by 3", NULL, ITERATIVE(dense_b)},
    {"dense-c", "leading dimensions longer by 3", NULL, ITERATIVE(dense_c)},
    {"one-leading-dimension", "with m, n, k = ", NULL, ITERATIVE(one_leading_dimension)},
    {"aligned-rows", "leading dimensions longer by 3", NULL, ITERATIVE(aligned_rows)},
    {"transposes-a", "on integers: ", NULL, ITERATIVE(transposes_a)},
    {"transposes-c", "on integers: ", NULL, ITERATIVE(transposes_c)},
    {"not-its-shape", "takes square matrices only", "--m 8 --n 9",
     .variant = {.multiply = rows_as_columns, .shapes = {.square = 1}}},
    {"not-its-multiple", "takes multiples of 8 only", "--n 41",
     .variant = {.multiply = multiples_n, .shapes = {.multiple = 8}}},

    {"leaves-it-to-a-thread", "No element of C was ever written", NULL,
     ITERATIVE(leaves_it_to_a_thread)},
    {"leaves-it-to-the-end", "No element of C was ever written", NULL,
     ITERATIVE(leaves_it_to_the_end)},
    {"ends-well", "the process ended without a verdict", NULL, ITERATIVE(ends_well)},
    {"ends-well-by-exit", "the process ended without a verdict", NULL,
     ITERATIVE(ends_well_by_exit)},
    {"becomes-true", "the process ended without a verdict", NULL, ITERATIVE(becomes_true)},
    {"crashes", "the process ended without a verdict", NULL, ITERATIVE(crashes)},
    {"ends-while-judged", "the process ended without a verdict", "--n 200",
     ITERATIVE(ends_while_judged)},
    {"stops-the-clock", "the clock was stopped", "--n 200", ITERATIVE(stops_the_clock)},
    {"starts-the-clock-late", "the clock was stopped", "--n 200",
     ITERATIVE(starts_the_clock_late)},
    {0},
};
