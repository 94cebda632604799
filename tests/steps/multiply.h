/* SPDX-License-Identifier: MIT */
/** @file multiply.h
 * Products of host matrices by a variant of a step on a GPU, and the verdict on an element: for
 * tests that put numbers of every size into a step (tensor-cases.c, exact-cases.c).
 */
#ifndef TESTS_STEPS_MULTIPLY_H
#define TESTS_STEPS_MULTIPLY_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command/options.h"
#include "common/device/backend.h"
#include "common/matrix/random.h"

/** The memory; ends the program when there is none. */
static inline void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(EXIT_RESOURCE);
    }
    return memory;
}

/** Uniform in [-1, 1], the same for the same number. */
static inline real uniform(unsigned number)
{
    return (real)random_uniform(random_bits((number + 1) * RANDOM_STEP));
}

/** True once in `share` calls: a slow simulated GPU tries each case in some of many ways, in
 * turn. */
static inline bool its_turn(int share)
{
    static int turn;
    return turn++ % share == 0;
}

/** The program's argument SHARE, or 1. */
static inline int share_of(int argc, char **argv)
{
    return argc == 2 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 1;
}

/** C = A * B by one variant, all on the host; C begins as NaN. */
static inline void multiply_by(const struct variant *v, const struct context *ctx, int levels,
                               int m, int n, int k, const real *a, const real *b, real *c)
{
    size_t a_bytes = sizeof(real) * m * k, b_bytes = sizeof(real) * k * n,
           c_bytes = sizeof(real) * m * n;
    struct product p = product_of_size(m, n, k);
    p.a.at = checked(backend.allocate(a_bytes)), p.b.at = checked(backend.allocate(b_bytes));
    p.c.at = checked(backend.allocate(c_bytes));
    size_t elements = v->workspace ? v->workspace(ctx, p, levels) : 1;
    real *workspace = checked(backend.allocate(elements * sizeof(real)));
    backend.upload(p.a.at, a, a_bytes);
    backend.upload(p.b.at, b, b_bytes);
    backend.fill(p.c.at, 0xff, c_bytes);
    v->multiply(ctx, p, levels, workspace);
    backend.download(c, p.c.at, c_bytes);
    backend.release(workspace);
    backend.release(p.a.at), backend.release(p.b.at), backend.release(p.c.at);
}

/** Element (i, j) of an operand, made of u, which is uniform in [-1, 1]. A kind may look at one
 * of these alone. */
#define ELEMENT                                                                                \
    int i __attribute__((unused)), int j __attribute__((unused)),                              \
        double u __attribute__((unused))
typedef double element(ELEMENT);

static inline double as_it_is(ELEMENT) { return u; }
static inline double all_zero(ELEMENT) { return 0 * u; }
static inline double all_nan(ELEMENT) { return NAN; }
static inline double zero_row(ELEMENT) { return i == 9 ? 0 : u; }
static inline double nan_in_row(ELEMENT) { return i == 3 && j == 11 ? NAN : u; }

/** Fills a of m x k and b of k x n elements. */
static inline void fill_operands(element *left, element *right, int m, int n, int k, real *a,
                                 real *b)
{
    for (int i = 0; i < m * k; i++)
        a[i] = (real)left(i / k, i % k, (double)uniform((unsigned)i));
    for (int i = 0; i < k * n; i++)
        b[i] = (real)right(i / n, i % n, (double)uniform((unsigned)(m * k + i)));
}

/** Whether an element is as in IEEE arithmetic (NaN, an infinity, too large for its type), or
 * within the allowed error. */
static inline bool is_right(long double exact, real got, long double allowed)
{
    if (isnan(exact))
        return isnan(got);
    if (fabsl(exact) > (sizeof(real) == sizeof(float) ? FLT_MAX : DBL_MAX))
        return isinf(got) && (got > 0) == (exact > 0);
    return fabsl(got - exact) <= allowed;
}

#endif
