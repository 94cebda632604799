/* SPDX-License-Identifier: MIT */
#include "common/check/tiers.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "common/command/options.h"
#include "common/matrix/random.h"
#include "common/scheme.h"
#include "common/sizes.h"
#include "common/device/timer.h"

/* What m, n and k must be multiples of. */
static long multiple_of(const struct variant *v, int levels)
{
    return v->shapes.multiple ? v->shapes.multiple << levels : 1;
}

bool input_is_promised(const struct options *o, const struct result *r, char *why, size_t size)
{
    const struct variant *v = r->variant;
    long multiple = multiple_of(v, r->levels);
    if (v->shapes.square && !(o->m == o->n && o->n == o->k)) {
        snprintf(why, size, "%s takes square matrices only: give --n alone", v->name);
        return false;
    }
    if (o->m % multiple || o->n % multiple || o->k % multiple) {
        snprintf(why, size, "%s takes multiples of %ld only (with %d level%s)", v->name,
                 multiple, r->levels, r->levels == 1 ? "" : "s");
        return false;
    }
    if (o->input == INPUT_INTEGERS &&
        !integer_magnitude(v->bound.scheme, r->levels, o->k, o->precision)) {
        snprintf(why, size,
                 "--input integers: with these levels and k = %ld some intermediate results "
                 "are not exact in %s; use fewer levels or --precision f64",
                 o->k, precision_names[o->precision]);
        return false;
    }
    return true;
}

/* An odd size from `least` to least + 24 that depends on the seed. Sizes whose `least` are 1 to
   5 apart are different. */
static long odd_size(const struct options *o, long least)
{
    return least +
           6 * (long)(random_bits((uint64_t)o->seed * RANDOM_STEP + (uint64_t)least) % 5);
}

/* The options for a small product; with `thin`, of a column and a row if the variant takes it.
 */
static struct options small_options(const struct trial *asked, const struct variant *v,
                                    bool thin)
{
    struct options o = *asked->options;
    bool recursive = o.step->leaves != NULL;
    o.levels =
        recursive ? smaller(depth_of(&o).levels, 2) : -1; /* more would pad it to a large one */
    o.tau1 = o.tau2 = 0;
    long multiple = multiple_of(v, v->levels ? 2 : recursive ? (int)o.levels : 0);
    o.m = round_up(odd_size(&o, thin ? 31 : 17), multiple);
    o.n = v->shapes.square ? o.m : round_up(odd_size(&o, 19), multiple);
    o.k = v->shapes.square ? o.m : round_up(thin ? 1 : odd_size(&o, 21), multiple);
    o.ld_extra += 3, o.ld_apart = 1; /* all three differ, even of square matrices */
    o.seed += thin ? 2 : 1;
    o.input = o.precision == PRECISION_I32 ? INPUT_INTEGERS : INPUT_UNIFORM;
    return o;
}

/* Runs and judges a described variant on a filled trial. If it is wrong, stores the verdict in
   `r`. Returns false without memory. */
static bool judge_tried(struct trial *trial, struct result *tried,
                        const struct tolerance *tolerance, const char *when, struct result *r)
{
    if (!workspace_create(&trial->workspace, trial->options->precision,
                          tried->workspace_bytes) ||
        !reference_create(&trial->reference, &trial->a, &trial->b))
        return false;
    tried->verdict =
        isinf(trial_run(trial, tried)) ? trial_lost() : trial_judge(trial, tolerance, when);
    if (!tried->verdict.passed) {
        trial_add_launch(&tried->verdict);
        r->verdict = tried->verdict;
    }
    return true;
}

static bool try_shape(const struct trial *asked, struct result *r, bool thin)
{
    struct options o = small_options(asked, r->variant, thin);
    struct trial small = {.options = &o, .traced = asked->traced};
    struct result tried;
    char when[128];
    trial_describe(&small, &tried, r->variant);
    snprintf(when, sizeof when,
             "with m, n, k = %ld, %ld, %ld and leading dimensions longer by %ld, %ld and %ld: ",
             o.m, o.n, o.k, o.ld_extra, o.ld_extra + o.ld_apart, o.ld_extra + 2 * o.ld_apart);
    bool enough = trial_create(&small);
    if (enough) {
        struct tolerance tolerance = trial_tolerance(&small, &tried, o.input);
        trial_fill(&small, o.input,
                   integer_magnitude(r->variant->bound.scheme, tried.levels, o.k, o.precision));
        enough = judge_tried(&small, &tried, &tolerance, when, r);
    }
    trial_destroy(&small);
    r->judged |= enough ? JUDGED_SHAPE : 0;
    return enough;
}

bool tier_other_shape(const struct trial *asked, struct result *r)
{
    return try_shape(asked, r, false) &&
           (!r->verdict.passed || r->variant->shapes.square || try_shape(asked, r, true));
}

/* The options for a product that `levels` levels cut into equal leaves. Sizes are rounded down
   to a multiple of what the levels need, or up where a smaller size would mean fewer levels. */
static struct options bits_options(const struct trial *asked, const struct variant *v,
                                   int levels, bool small)
{
    struct options o = *asked->options;
    long unit = larger(v->shapes.pad_m, larger(v->shapes.pad_n, v->shapes.pad_k));
    bool any_size = unit || v->shapes.to_numbers; /* padded */
    long blocks = scheme_blocks(v->bound.scheme, levels);
    long multiple = v->shapes.multiple ? multiple_of(v, levels) : any_size ? 1 : blocks;
    long leaf = larger(larger(unit, v->shapes.multiple), 1);
    long most = small ? larger(24, leaf * blocks) : LONG_MAX;
    if (o.step->leaves) {
        o.levels = depth_of(&o).levels;
        o.tau1 = o.tau2 = 0;
    }
    long add = v->levels ? multiple - 1 : 0;
    o.m = larger(multiple, (smaller(o.m, most) + add) / multiple * multiple);
    o.n = larger(multiple, (smaller(o.n, most) + add) / multiple * multiple);
    o.k = larger(multiple, (smaller(o.k, most) + add) / multiple * multiple);
    return o;
}

/* ---- Numbers that use all bits ---- */

/* The leaves of a recursion: blocks of m x k in A, of k x n in B. */
struct leaves {
    long m, n, k;
};

/* A random place i + block * step below `end`. */
static long pick(long i, long step, long end, uint64_t bits)
{
    return i + step * (long)(bits % (uint64_t)((end - i + step - 1) / step));
}

/* 1 or -1; with `all_bits` a number from there to the next power of two. */
static double number_at(enum precision precision, bool all_bits, uint64_t bits)
{
    int mantissa = precision == PRECISION_F64 ? 53 : 24;
    uint64_t fraction = all_bits ? bits >> (65 - mantissa) << 1 | 1 : 0;
    double magnitude = 1 + ldexp((double)fraction, 1 - mantissa);
    return bits & 1 ? -magnitude : magnitude;
}

/* The place of the only nonzero number in row i of A's leaves. `inner` is its column within a
   leaf, and the row of B's leaves that it is multiplied by. If `inner` is odd, B's number uses
   all bits, otherwise A's. */
struct entry {
    long row, column, inner;
};

/* One of the places along k that share `inner`. In three of four cases A and B get the same
   one, so that their product is not zero. */
static long pick_inner(const struct leaves *x, long inner, long k, uint64_t seed, uint64_t bits)
{
    return pick(inner, x->k, k, bits % 4 ? random_at(seed, OPERAND_A, inner, 4) : bits >> 2);
}

static struct entry entry_at(const struct leaves *x, const struct matrix *a, uint64_t seed,
                             long i)
{
    uint64_t bits = random_at(seed, OPERAND_A, i, 0);
    long inner = (long)(bits % (uint64_t)smaller(x->k, a->cols));
    return (struct entry){pick(i, x->m, a->rows, random_at(seed, OPERAND_A, i, 1)),
                          pick_inner(x, inner, a->cols, seed, random_at(seed, OPERAND_A, i, 2)),
                          inner};
}

static void set_to_zero(struct matrix *matrix)
{
#pragma omp parallel for if (!backend.shares_host_memory)
    for (long i = 0; i < matrix->rows; i++)
        for (long j = 0; j < matrix->cols; j++)
            matrix_set(matrix, i, j, 0);
}

/* Fills the host copies of both operands with few numbers that use every bit of the mantissa,
   such that every intermediate of Strassen's and Winograd's method stays exact. At each place
   within the leaves only one leaf of A and one of B is nonzero, so sums of leaves add only
   zeros. A row of a leaf of A has one number. If one operand's number has all bits, the other's
   is 1 or -1. The seed chooses the nonzero leaf, so all quadrants of all levels are used. */
static void fill_bits(struct matrix *a, struct matrix *b, const struct leaves *x, uint64_t seed)
{
    set_to_zero(a);
    set_to_zero(b);
#pragma omp parallel for if (!backend.shares_host_memory) /* all places differ */
    for (long s = 0; s < smaller(x->k, b->rows); s++)
        for (long j = 0; j < smaller(x->n, b->cols); j++) {
            uint64_t bits = random_at(seed, OPERAND_B, s, j);
            matrix_set(b, pick_inner(x, s, b->rows, seed, bits),
                       pick(j, x->n, b->cols, bits >> 32),
                       number_at(b->precision, s % 2, random_bits(bits)));
        }
    for (long i = 0; i < smaller(x->m, a->rows); i++) {
        struct entry e = entry_at(x, a, seed, i);
        matrix_set(a, e.row, e.column,
                   number_at(a->precision, e.inner % 2 == 0, random_at(seed, OPERAND_A, i, 3)));
    }
}

/* The leaves of a variant on the shape its kernels get. */
static struct leaves leaves_of(const struct result *r)
{
    int levels = r->variant->bound.scheme ? r->levels : 0;
    if (r->variant->shapes.to_numbers)
        return (struct leaves){1, 1, 1};
    long blocks = scheme_blocks(r->variant->bound.scheme, levels);
    return (struct leaves){pieces_of(r->shape.c.rows, blocks),
                           pieces_of(r->shape.c.cols, blocks),
                           pieces_of(r->shape.a.cols, blocks)};
}

/* Small leaves get many draws, because each draw has few numbers, but no more than fit into
   this many milliseconds. */
enum { FEW = 64, MANY_DRAWS = 8, DRAWING_MS = 300 };

/* True if the method has coefficients such as 1/4 or 3. That many times a number that uses all
   bits needs more bits, so only the bound can judge the product. */
static bool adds_digits(const struct result *r)
{
    const struct scheme *scheme = r->variant->bound.scheme;
    bool adds = scheme && scheme->basis;
    for (int p = 0; scheme && p < scheme->products; p++)
        for (int q = 0; q < MOST_BLOCKS; q++) {
            double a = fabs(scheme->product[p].a[q]), b = fabs(scheme->product[p].b[q]);
            adds = adds || (a != 0 && a != 1) || (b != 0 && b != 1);
        }
    return adds && r->levels;
}

/* One draw of the numbers. If the product is wrong, stores the verdict in `r`. Returns false
   without memory. */
static bool draw_and_judge(struct trial *trial, struct result *tried,
                           const struct leaves *leaves, int draw, struct result *r)
{
    struct tolerance tolerance = trial_tolerance(trial, tried, INPUT_INTEGERS);
    tolerance.exact = r->variant->bound.split == 0 && !adds_digits(r), tolerance.terms = 1;
    fill_bits(&trial->a, &trial->b, leaves, (uint64_t)(trial->options->seed + draw * 1000003L));
    matrix_upload(&trial->a);
    matrix_upload(&trial->b);
    bool enough = judge_tried(trial, tried, &tolerance, "on numbers that use all bits: ", r);
    if (enough && tried->levels == r->levels && !reference_is_zero(&trial->reference) &&
        tolerance_says_something(&trial->reference, &tolerance, trial->options->precision))
        r->judged |= JUDGED_BITS;
    workspace_destroy(&trial->workspace);
    reference_destroy(&trial->reference);
    return enough;
}

bool tier_bits(const struct trial *asked, struct result *r, bool small)
{
    struct options o;
    struct result tried = {.levels = r->levels};
    struct trial trial = {.options = &o, .traced = asked->traced};
    int levels = -1;
    if (asked->options->precision == PRECISION_I32) /* its integers already use all bits */
        return true;
    for (int tries = 0; tries < 4 && levels != tried.levels; tries++) {
        levels = tried.levels;
        o = bits_options(asked, r->variant, r->variant->bound.scheme ? levels : 0, small);
        trial_describe(&trial, &tried, r->variant);
    }
    const struct options *at = asked->options;
    bool own = small || o.m != at->m || o.n != at->n || o.k != at->k;
    if (levels != tried.levels) /* other sizes would change the variant's levels */
        return true;
    if (!own)
        trial.a = asked->a, trial.b = asked->b, trial.c = asked->c;
    const struct leaves leaves = leaves_of(&tried);
    int draws = leaves.m * leaves.n < FEW ? MANY_DRAWS : 1;
    bool enough = !own || trial_create(&trial);
    double start = timer_now();
    for (int draw = 0; draw < draws && enough && r->verdict.passed &&
                       (draw < 2 || timer_now() - start < DRAWING_MS);
         draw++)
        enough = draw_and_judge(&trial, &tried, &leaves, draw, r);
    if (!own)
        trial.a = trial.b = trial.c = (struct matrix){0};
    trial_destroy(&trial);
    return enough;
}
