/* SPDX-License-Identifier: MIT */
/** @file musella.c
 * What does malloc cost? Musella's appendix 5.1 allocates thirteen matrices at each node of the
 * recursion and frees them again. Here the same steps run twice: with malloc and free, and with
 * the temporaries from one arena.
 */
#include "musella.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "divide.h"

/// [memory]
/* Where temporaries come from: the heap, or the next free elements of an arena. */
struct memory {
    real *next; /* NULL: the heap */
};

static real *take_square(struct memory *memory, long m)
{
    size_t elements = (size_t)(m * m);
    real *place = memory->next ? memory->next : malloc(elements * sizeof(real));
    if (!place) {
        fprintf(stderr, "malloc: no room for %zu bytes\n", elements * sizeof(real));
        exit(EXIT_RESOURCE);
    }
    if (memory->next)
        memory->next += elements;
    return place;
}

/* The arena takes everything back at once, when its node ends. */
static void give_back(struct memory *memory, real *place)
{
    if (!memory->next)
        free(place);
}
/// [memory]

/* An m x m block of a matrix with rows ld apart. */
static struct block square(const real *at, long m, long ld)
{
    return (struct block){(real *)at, m, m, ld};
}

/* C00 = M1 + (M4 + (M7 - M5)) and the others, in the appendix's order; then back into C. */
static void combine_products(struct memory *memory, real *C, long n, real *M[], real *s,
                             real *t)
{
    long m = n / 2;
    struct block S = square(s, m, m), T = square(t, m, m), X[8], quadrant[4];
    real *parts[4];
    for (int i = 1; i <= 7; i++)
        X[i] = square(M[i], m, m);
    parts[0] = take_square(memory, m), quadrant[0] = square(parts[0], m, m);
    sub(X[7], X[5], S), add(X[4], S, T), add(X[1], T, quadrant[0]);
    give_back(memory, M[7]);
    parts[1] = take_square(memory, m), quadrant[1] = square(parts[1], m, m);
    add(X[3], X[5], quadrant[1]);
    give_back(memory, M[5]);
    parts[2] = take_square(memory, m), quadrant[2] = square(parts[2], m, m);
    add(X[2], X[4], quadrant[2]);
    give_back(memory, M[4]);
    parts[3] = take_square(memory, m), quadrant[3] = square(parts[3], m, m);
    sub(X[6], X[2], S), add(X[3], S, T), add(X[1], T, quadrant[3]);
    give_back(memory, M[6]), give_back(memory, M[3]), give_back(memory, M[2]),
        give_back(memory, M[1]);
    give_back(memory, s), give_back(memory, t);
    for (int i = 0; i < 4; i++) {
        copy(quadrant[i], square(C + i / 2 * m * n + i % 2 * m, m, n));
        give_back(memory, parts[i]);
    }
}

/* n is a power of two, and A, B and C are contiguous. */
static void appendix_2x2(real *C, const real *A, const real *B)
{
    real m1 = (A[0] + A[3]) * (B[0] + B[3]), m2 = (A[2] + A[3]) * B[0],
         m3 = A[0] * (B[1] - B[3]);
    real m4 = A[3] * (B[2] - B[0]), m5 = (A[0] + A[1]) * B[3],
         m6 = (A[2] - A[0]) * (B[0] + B[1]);
    real m7 = (A[1] - A[3]) * (B[2] + B[3]);
    C[0] = m1 + m4 - m5 + m7;
    C[1] = m3 + m5;
    C[2] = m2 + m4;
    C[3] = m1 + m3 - m2 + m6;
}

/// [appendix]
static void appendix(struct memory memory, real *C, const real *A, const real *B, long n)
{
    if (n == 2) {
        appendix_2x2(C, A, B);
        return;
    }
    long m = n / 2;
    struct block A11 = square(A, m, n), A12 = square(A + m, m, n),
                 A21 = square(A + m * n, m, n), A22 = square(A + m * n + m, m, n);
    struct block B11 = square(B, m, n), B12 = square(B + m, m, n),
                 B21 = square(B + m * n, m, n), B22 = square(B + m * n + m, m, n);
    real *s = take_square(&memory, m), *t = take_square(&memory, m), *M[8];
    struct block S = square(s, m, m), T = square(t, m, m);

    M[1] = take_square(&memory, m);
    add(A11, A22, S), add(B11, B22, T);
    appendix(memory, M[1], s, t, m);
    M[2] = take_square(&memory, m);
    add(A21, A22, S), copy(B11, T);
    appendix(memory, M[2], s, t, m);
    M[3] = take_square(&memory, m);
    copy(A11, S), sub(B12, B22, T);
    appendix(memory, M[3], s, t, m);
    M[4] = take_square(&memory, m);
    copy(A22, S), sub(B21, B11, T);
    appendix(memory, M[4], s, t, m);
    M[5] = take_square(&memory, m);
    add(A11, A12, S), copy(B22, T);
    appendix(memory, M[5], s, t, m);
    M[6] = take_square(&memory, m);
    sub(A21, A11, S), add(B11, B12, T);
    appendix(memory, M[6], s, t, m);
    M[7] = take_square(&memory, m);
    sub(A12, A22, S), add(B21, B22, T);
    appendix(memory, M[7], s, t, m);
    combine_products(&memory, C, n, M, s, t);
}
/// [appendix]

int levels_to_2x2(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    long largest = larger(p.c.rows, larger(p.c.cols, p.a.cols));
    int halvings = 0;
    while (2L << halvings < largest)
        halvings++;
    return halvings;
}

/* Three matrices of the padded order. */
size_t workspace_appendix_malloc(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)p; /* the levels decide */
    size_t order = (size_t)2 << levels;
    return 3 * order * order;
}

/* Thirteen quadrants per level, on one path down: 13/4 n^2, then a quarter of that. */
size_t workspace_appendix(const struct context *ctx, struct product p, int levels)
{
    size_t elements = workspace_appendix_malloc(ctx, p, levels);
    for (size_t m = (size_t)1 << levels; m >= 2; m /= 2)
        elements += 13 * m * m;
    return elements;
}

static void multiply_from(struct product p, int levels, real *workspace, bool heap)
{
    long n = 2L << levels;
    struct product copies = padded_product(p, product_of_size(n, n, n), &workspace);
    appendix((struct memory){heap ? NULL : workspace}, copies.c.at, copies.a.at, copies.b.at,
             n);
    copy(part(copies.c, 0, 0, p.c.rows, p.c.cols), p.c);
}

void multiply_appendix_malloc(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    (void)ctx; /* other variants need more */
    multiply_from(p, levels, workspace, true);
}

void multiply_appendix(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)ctx; /* other variants need more */
    multiply_from(p, levels, workspace, false);
}
