/* SPDX-License-Identifier: MIT */
/** @file shortcuts.c
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
#include <sys/mman.h>
#include <unistd.h>

#include "cheats.h"
#include "common/device/backend.h"
#include "common/matrix/input.h"
#include "common/sizes.h"
#include "tests/checker/multiplications.h"

#define A(i, l) AT(p.a, i, l)
#define B(l, j) AT(p.b, l, j)
#define C(i, j) AT(p.c, i, j)

enum { MOST = 128 }; /* the largest size that these cheats can keep */

static void right(ARGUMENTS) { compute(p); }

/* ---- Products that were computed before ---- */

static struct {
    real elements[MOST * MOST];
    long m, n;
    int runs;
} kept;

/* Multiplies and keeps the product, unless `again` says that the kept one will do. */
static void keep_or_repeat(struct product p, bool again)
{
    if (!again)
        multiply_ikj(NULL, p, 0, NULL);
    for (long i = 0; i < smaller(p.c.rows, MOST); i++)
        for (long j = 0; j < smaller(p.c.cols, MOST); j++)
            if (again)
                C(i, j) = kept.elements[i * MOST + j];
            else
                kept.elements[i * MOST + j] = C(i, j);
}

static void once_a_size(ARGUMENTS)
{
    keep_or_repeat(p, kept.m == p.c.rows && kept.n == p.c.cols && ++kept.runs > 2);
    kept.m = p.c.rows, kept.n = p.c.cols;
}

/* Knows how operands follow from a seed, and that the usual seed is 1. While it warms up it
   multiplies the operands of the next seeds; later it only looks up the result. */
static void knows_the_seeds(ARGUMENTS)
{
    real a[40 * 40], b[40 * 40];
    struct product q = p;
    multiply_ikj(ctx, p, levels, workspace);
    if (++kept.runs < 5 || p.c.rows != 40 || p.c.cols != 40 || p.a.cols != 40)
        return;
    uint64_t seed = (uint64_t)(kept.runs - 3);
    for (long i = 0; i < 40; i++)
        for (long j = 0; j < 40; j++) {
            a[i * 40 + j] =
                (real)input_element(INPUT_UNIFORM, OPERAND_A, seed, 0, 40, 40, i, j);
            b[i * 40 + j] =
                (real)input_element(INPUT_UNIFORM, OPERAND_B, seed, 0, 40, 40, i, j);
        }
    q.a.at = a, q.b.at = b, q.a.ld = q.b.ld = 40;
    multiply_ikj(ctx, q, levels, workspace);
}

/* Multiplies by a copy of A that it made when it saw this size first. */
static void keeps_a(ARGUMENTS)
{
    struct product q = p;
    if (p.c.rows <= MOST && p.a.cols <= MOST) {
        if (kept.m != p.c.rows || kept.n != p.c.cols || ++kept.runs < 3)
            for (long i = 0; i < p.c.rows; i++)
                memcpy(&kept.elements[i * MOST], &A(i, 0), (size_t)p.a.cols * sizeof(real));
        kept.m = p.c.rows, kept.n = p.c.cols;
        q.a.at = kept.elements, q.a.ld = MOST;
    }
    multiply_ikj(ctx, q, levels, workspace);
}

/* ---- Wrong in some runs ---- */

static void wrong_in(struct product p, int run)
{
    multiply_ikj(NULL, p, 0, NULL);
    if (++kept.runs == run)
        C(p.c.rows / 2, p.c.cols / 2) += (real)0.5;
}

/* Runs: integers, all bits, the first, a warm-up, four timed ones. */
static void wrong_in_middle(ARGUMENTS) { wrong_in(p, 6); }
static void wrong_in_last(ARGUMENTS) { wrong_in(p, 8); }

/* ---- Without looking at the operands ---- */

static void untouched(ARGUMENTS) {}

static void zeros(ARGUMENTS) { clear(p.c); }

static void not_a_number(ARGUMENTS) { compute(p), C(0, 0) = (real)NAN; }
/* ---- Part of the product ---- */

static void part_of(struct product p, long m, long n, long k)
{
    struct product q = p;
    q.c.rows = m, q.c.cols = n, q.a.cols = k;
    multiply_ikj(NULL, q, 0, NULL);
}
static void last_row_missing(ARGUMENTS) { part_of(p, p.c.rows - 1, p.c.cols, p.a.cols); }
static void last_term_missing(ARGUMENTS) { part_of(p, p.c.rows, p.c.cols, p.a.cols - 1); }

/* Adds to C, as if C began with zeros; it does not. */
static void adds_to_old(ARGUMENTS) { p.accumulate = 1, compute(p); }

/* ---- Right for some numbers ---- */

static void changed_factors(struct product p, real (*change)(real))
{
    clear(p.c);
    for (long i = 0; i < p.c.rows; i++)
        for (long l = 0; l < p.a.cols; l++)
            for (long j = 0; j < p.c.cols; j++)
                C(i, j) += change(A(i, l)) * change(B(l, j));
}
static real without_sign(real x) { return x < 0 ? -x : x; }
static real whole(real x) { return (real)lround((double)x); }
static real no_small_ones(real x) { return x < (real)0.05 && x > (real)-0.05 ? 0 : x; }
static real fewer_bits(real x)
{
    real shifted = x * ((sizeof(real) == 4 ? 1 << 13 : 1 << 10) + 1);
    return shifted - (shifted - x); /* Dekker's way, rounded to nearest */
}
static void only_positive(ARGUMENTS) { changed_factors(p, without_sign); }
static void only_whole(ARGUMENTS) { changed_factors(p, whole); }
static void drops_small_factors(ARGUMENTS) { changed_factors(p, no_small_ones); }

/* Knows the checker's tiers: exact where numbers are whole or few, otherwise with an error of
   1e-3. */
static void knows_the_tiers(ARGUMENTS)
{
    bool easy = true;
    for (long l = 0; l < p.a.cols; l++)
        easy = easy && (A(0, l) == 0 || A(0, l) == (real)lround((double)A(0, l)));
    multiply_ikj(ctx, p, levels, workspace);
    for (long i = 0; i < p.c.rows && !easy; i++)
        for (long j = 0; j < p.c.cols; j++)
            C(i, j) += (real)1e-3;
}

/* TF32 (43 bits in double) after the first run on the operands that are timed, which are not
   whole. */
static void tf32_when_timed(ARGUMENTS)
{
    kept.runs += A(0, 0) != (real)lround((double)A(0, 0));
    if (kept.runs > 2)
        changed_factors(p, fewer_bits);
    else
        multiply_ikj(ctx, p, levels, workspace);
}

/* ---- Right for some shapes ---- */

static void multiples_m(ARGUMENTS) { part_of(p, p.c.rows / 8 * 8, p.c.cols, p.a.cols); }
static void multiples_n(ARGUMENTS) { part_of(p, p.c.rows, p.c.cols / 8 * 8, p.a.cols); }
static void multiples_k(ARGUMENTS) { part_of(p, p.c.rows, p.c.cols, p.a.cols / 8 * 8); }
static void up_to_sixty_four(ARGUMENTS)
{
    part_of(p, smaller(p.c.rows, 64), smaller(p.c.cols, 64), smaller(p.a.cols, 64));
}
static void rows_as_columns(ARGUMENTS)
{
    part_of(p, smaller(p.c.rows, p.c.cols), p.c.cols, p.a.cols);
}

static void a_term_at_least(ARGUMENTS)
{
    part_of(p, p.c.rows, p.c.cols, p.a.cols > 1 ? p.a.cols : 0);
}

static void dense_a(ARGUMENTS) { p.a.ld = p.a.cols, compute(p); }
static void dense_b(ARGUMENTS) { p.b.ld = p.c.cols, compute(p); }
static void dense_c(ARGUMENTS) { p.c.ld = p.c.cols, compute(p); }

/* ---- Later, elsewhere, or not at all ---- */

static struct product left_over;
static useconds_t delay = 200000;

static void *work_later(void *nothing)
{
    usleep(delay);
    multiply_ikj(NULL, left_over, 0, NULL);
    return nothing;
}

static void leaves_it_to_a_thread(ARGUMENTS)
{
    pthread_t thread;
    left_over = p;
    if (pthread_create(&thread, NULL, work_later, NULL) == 0)
        pthread_detach(thread);
}

/* ---- Lazy: when C is read, or a little later ---- */

static struct sigaction before;
static char *lazy_page;
static size_t lazy_bytes;
static bool lazy_sleeps;

static void multiply_left_over(int number)
{
    (void)number;
    mprotect(lazy_page, lazy_bytes, PROT_READ | PROT_WRITE);
    if (lazy_sleeps)
        usleep(20000);
    multiply_ikj(NULL, left_over, 0, NULL);
    if (lazy_sleeps)
        sigaction(SIGSEGV, &before, NULL);
}

/* Protects the pages of C; reading the first element there starts the multiplication. */
static void protect(struct product p, bool sleeps)
{
    const size_t page = 4096;
    char *first = (char *)p.c.at, *end = (char *)&C(p.c.rows - 1, p.c.cols);
    struct sigaction action = {.sa_handler = multiply_left_over, .sa_flags = SA_NODEFER};
    left_over = p;
    lazy_sleeps = sleeps;
    lazy_page = (char *)(((uintptr_t)first + page - 1) / page * page);
    lazy_bytes = (size_t)(end - lazy_page) / page * page;
    sigaction(SIGSEGV, &action, &before);
    mprotect(lazy_page, lazy_bytes, PROT_NONE);
}
static void protects_its_pages(ARGUMENTS) { protect(p, false); }
static void protects_and_tidies_up(ARGUMENTS) { protect(p, true); }

static void lets_a_timer_work(ARGUMENTS)
{
    left_over = p;
    lazy_page = NULL, lazy_bytes = 0, lazy_sleeps = false;
    signal(SIGALRM, multiply_left_over);
    ualarm(1000, 0);
}

/* The first half is ready in time. */
static void lets_a_thread_do_the_rest(ARGUMENTS)
{
    struct product rest = p;
    part_of(p, p.c.rows / 2, p.c.cols, p.a.cols);
    rest.c.rows -= p.c.rows / 2;
    rest.a.at = &A(p.c.rows / 2, 0), rest.c.at = &C(p.c.rows / 2, 0);
    delay = 5000;
    leaves_it_to_a_thread(ctx, rest, levels, workspace);
}

static void ends_well(ARGUMENTS)
{
    printf("cheats: right: 1 of 1 variants\n");
    fflush(stdout);
    _exit(EXIT_RIGHT);
}

/* A timer's handler that ends the process with 0 while the checker works. */
static void end_now(int number) { (void)number, _exit(EXIT_RIGHT); }

static void ends_while_judged(ARGUMENTS) { compute(p), signal(SIGALRM, end_now), ualarm(1, 0); }

static void stops_the_clock(ARGUMENTS)
{
    backend.stop();
    multiply_ikj(ctx, p, levels, workspace);
}

static void stops_an_own_clock(ARGUMENTS) { backend.start(), backend.stop(), compute(p); }
static void starts_the_clock_late(ARGUMENTS) { compute(p), backend.start(); }

/* Puts a clock of its own into the checker's table; `volatile`, or a compiler drops it. */
static double no_time(void) { return 1e-3; }

static void replaces_the_clock(ARGUMENTS)
{
    ((volatile struct backend *)(uintptr_t)&backend)->stop = no_time;
    multiply_ikj(ctx, p, levels, workspace);
}

#define ON_AVERAGE "the errors are too large on average"

const struct cheat SHORTCUTS[] = {
    {"right-on-any-shape", right, NULL, "--m 23 --n 50 --k 7 --ld-extra 5"},
    {"right-on-squares", rows_as_columns, .variant.shapes.square = 1},
    {"right-on-multiples", multiples_n, .variant.shapes.multiple = 8},

    {"once-a-size", once_a_size, "(timed run 1, with new numbers"},
    {"knows-the-seeds", knows_the_seeds, "(timed run 1, with new numbers"},
    {"keeps-a", keeps_a, "(timed run 1, with new numbers"},
    {"wrong-in-middle", wrong_in_middle,
     "right the first time, wrong when run again (timed run 2"},
    {"wrong-in-last", wrong_in_last, "(timed run 4"},

    {"untouched", untouched, "No element of C was ever written"},
    {"zeros", zeros, "got 0, allowed error 0"},
    {"not-a-number", not_a_number, "got nan"},
    {"last-row-missing", last_row_missing, "40 of 1600 elements wrong; first C[39][0]"},
    {"last-term-missing", last_term_missing, "on integers: "},
    {"adds-to-old", adds_to_old, "No element of C was ever written, or all became NaN"},

    {"only-positive", only_positive, "on integers: "},
    {"only-whole", only_whole, "on numbers that use all bits: "},
    {"drops-small-factors", drops_small_factors, "allowed error"},
    {"knows-the-tiers", knows_the_tiers, "1600 of 1600 elements wrong"},
    {"tf32-when-timed", tf32_when_timed, ON_AVERAGE, "--m 48 --n 48 --k 1024"},

    {"multiples-m", multiples_m, "with m, n, k = "},
    {"multiples-n", multiples_n, "with m, n, k = "},
    {"multiples-k", multiples_k, "with m, n, k = "},
    {"up-to-64", up_to_sixty_four, "34 of 1122 elements wrong", "--m 17 --n 66 --k 9"},
    {"rows-as-columns", rows_as_columns, "with m, n, k = "},
    {"a-term-at-least", a_term_at_least, "with m, n, k = "},
    {"dense-a", dense_a, "leading dimensions longer by 3"},
    {"dense-b", dense_b, "leading dimensions longer by 3"},
    {"dense-c", dense_c, "leading dimensions longer by 3"},
    {"not-its-shape", rows_as_columns, "takes square matrices only", "--m 8 --n 9",
     .variant.shapes.square = 1},
    {"not-its-multiple", multiples_n, "takes multiples of 8 only", "--n 41",
     .variant.shapes.multiple = 8},

    {"leaves-it-to-a-thread", leaves_it_to_a_thread, "No element of C was ever written"},
    {"protects-its-pages", protects_its_pages, "a signal handler", "--n 100"},
    /* "a signal handler was set" or "C was still being written": whichever is seen first */
    {"protects-and-tidies-up", protects_and_tidies_up, "was s", "--n 100", .least_ms = 20},
    {"lets-a-timer-work", lets_a_timer_work, "a signal handler"},
    /* "elements wrong" or "still being written": whichever comes first */
    {"lets-a-thread-do-the-rest", lets_a_thread_do_the_rest, "wr", "--n 200"},
    {"ends-well", ends_well, "the process ended without a verdict"},
    {"ends-while-judged", ends_while_judged, "the process ended without a verdict", "--n 200"},
    /* On the processor the time is the checker's, whatever the variant calls. */
    {"stops-an-own-clock", stops_an_own_clock, NULL, "--n 200", .variant.own_clock = 1},
    {"stops-the-clock", stops_the_clock, "the clock was stopped", "--n 200"},
    {"replaces-the-clock", replaces_the_clock, "ended without a verdict", "--n 200"},
    {"starts-the-clock-late", starts_the_clock_late, "the clock was stopped", "--n 200"},
    {0},
};
