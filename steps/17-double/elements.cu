/* SPDX-License-Identifier: MIT */
/** @file elements.cu
 * --elements: some elements of C, each as the document's four ways of multiplying round it, on
 * the processor. So Figure 44 (n = 8192, two levels) takes seconds and no GPU.
 *
 * An element of C needs one row of A and one column of B. After two levels it is made of 49
 * products of sums of sub-blocks, and of each of these again one row and one column are enough:
 * those of the same place in all 16 sub-blocks.
 */
#include "elements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/matrix/input.h"
#include "common/measure/json.h"
#include "docs/documents/numbers.h"

enum {
    ELEMENTS_N = 8192,
    SIDE = 4,
    PART = ELEMENTS_N / SIDE,
    PARTS = SIDE * SIDE,
    TRIES = 300
};

/// [parts]
/* Of each sub-block of side x side one row or column of `length` elements; of C one element. */
struct parts {
    int side, length;
    const double *at[PARTS];
};

/* Memory for the sums of one try. */
struct arena {
    double *at;
    size_t used;
};
enum { ARENA = 256 * PART };

struct part_quadrants {
    struct parts q11, q12, q21, q22;
};

static struct parts quadrant_of(struct parts x, int down, int right)
{
    int half = x.side / 2;
    struct parts part = {half, x.length, {NULL}};
    for (int i = 0; i < half * half; i++)
        part.at[i] = x.at[(down * half + i / half) * x.side + right * half + i % half];
    return part;
}

static struct part_quadrants quadrants_of_parts(struct parts x)
{
    return (struct part_quadrants){quadrant_of(x, 0, 0), quadrant_of(x, 0, 1),
                                   quadrant_of(x, 1, 0), quadrant_of(x, 1, 1)};
}

static struct parts joined(struct parts q11, struct parts q12, struct parts q21,
                           struct parts q22)
{
    struct parts quadrants[] = {q11, q12, q21, q22}, whole = {2 * q11.side, q11.length, {NULL}};
    for (int i = 0; i < whole.side * whole.side; i++) {
        int down = i / whole.side, right = i % whole.side, half = q11.side;
        whole.at[i] =
            quadrants[down / half * 2 + right / half].at[down % half * half + right % half];
    }
    return whole;
}

/* x + sign * y, rounded. */
static struct parts signed_sum(struct arena *arena, struct parts x, double sign, struct parts y)
{
    struct parts sum = x;
    for (int i = 0; i < x.side * x.side; i++) {
        double *to = arena->at + arena->used;
        arena->used += (size_t)x.length;
        for (int l = 0; l < x.length; l++)
            to[l] = x.at[i][l] + sign * y.at[i][l];
        sum.at[i] = to;
    }
    return sum;
}

static struct parts plus_parts(struct arena *arena, struct parts x, struct parts y)
{
    return signed_sum(arena, x, 1, y);
}

static struct parts minus_parts(struct arena *arena, struct parts x, struct parts y)
{
    return signed_sum(arena, x, -1, y);
}

/* A thread of dgemm: one multiply-add after another, each rounded once. */
static double dgemm_element(const double *row, const double *column, int length)
{
    double sum = 0;
    for (int l = 0; l < length; l++)
        sum = fma(row[l], column[l], sum);
    return sum;
}

static struct parts dgemm_parts(struct arena *arena, struct parts a, struct parts b)
{
    struct parts c = {1, 1, {arena->at + arena->used}};
    arena->at[arena->used++] = dgemm_element(a.at[0], b.at[0], a.length);
    return c;
}
/// [parts]

/// [elements]
static struct parts strassen_parts(struct arena *arena, struct parts a, struct parts b)
{
    if (a.side == 1)
        return dgemm_parts(arena, a, b);
    struct part_quadrants A = quadrants_of_parts(a), B = quadrants_of_parts(b);
    struct parts m1 = strassen_parts(arena, plus_parts(arena, A.q11, A.q22),
                                     plus_parts(arena, B.q11, B.q22)),
                 m2 = strassen_parts(arena, plus_parts(arena, A.q21, A.q22), B.q11),
                 m3 = strassen_parts(arena, A.q11, minus_parts(arena, B.q12, B.q22)),
                 m4 = strassen_parts(arena, A.q22, minus_parts(arena, B.q21, B.q11)),
                 m5 = strassen_parts(arena, plus_parts(arena, A.q11, A.q12), B.q22),
                 m6 = strassen_parts(arena, minus_parts(arena, A.q21, A.q11),
                                     plus_parts(arena, B.q11, B.q12)),
                 m7 = strassen_parts(arena, minus_parts(arena, A.q12, A.q22),
                                     plus_parts(arena, B.q21, B.q22));
    return joined(minus_parts(arena, plus_parts(arena, plus_parts(arena, m7, m1), m4), m5),
                  plus_parts(arena, m3, m5), plus_parts(arena, m2, m4),
                  plus_parts(arena, minus_parts(arena, plus_parts(arena, m6, m1), m2), m3));
}

static struct parts winograd_parts(struct arena *arena, struct parts a, struct parts b)
{
    if (a.side == 1)
        return dgemm_parts(arena, a, b);
    struct part_quadrants A = quadrants_of_parts(a), B = quadrants_of_parts(b);
    struct parts s1 = plus_parts(arena, A.q21, A.q22), s2 = minus_parts(arena, s1, A.q11),
                 t1 = minus_parts(arena, B.q12, B.q11), t2 = minus_parts(arena, B.q22, t1);
    struct parts m1 = winograd_parts(arena, A.q11, B.q11),
                 m2 = winograd_parts(arena, A.q12, B.q21),
                 m3 = winograd_parts(arena, minus_parts(arena, A.q12, s2), B.q22),
                 m4 = winograd_parts(arena, A.q22, minus_parts(arena, t2, B.q21)),
                 m5 = winograd_parts(arena, s1, t1), m6 = winograd_parts(arena, s2, t2),
                 m7 = winograd_parts(arena, minus_parts(arena, A.q11, A.q21),
                                     minus_parts(arena, B.q22, B.q12));
    struct parts u2 = plus_parts(arena, m1, m6), u3 = plus_parts(arena, u2, m7);
    return joined(plus_parts(arena, m1, m2), plus_parts(arena, plus_parts(arena, u2, m5), m3),
                  minus_parts(arena, u3, m4), plus_parts(arena, u3, m5));
}

/* The compiler must not fuse it with the following addition. */
static double rounded_term(double x, double y)
{
    volatile double term = x * y;
    return term;
}

/* The classical product as a processor of 2010 computes it: each term is rounded, then
 * added. */
static double classical_element(const double *row, const double *column)
{
    double sum = 0;
    for (int l = 0; l < ELEMENTS_N; l++)
        sum += rounded_term(row[l], column[l]);
    return sum;
}

/* In twice the precision: what each multiplication and each addition rounds off is kept and
   added at the end (Ogita, Rump, Oishi 2005, Dot2). */
static double exact(const double *row, const double *column)
{
    double sum = 0, rest = 0;
    for (int l = 0; l < ELEMENTS_N; l++) {
        double term = rounded_term(row[l], column[l]), next = sum + term, added = next - sum;
        rest += fma(row[l], column[l], -term) + ((sum - (next - added)) + (term - added));
        sum = next;
    }
    return sum + rest;
}
/// [elements]

enum { WAYS = 4, KINDS = 2 };
static const char *const way_names[WAYS] = {"dgemm", "dStrassen", "dWinograd", "exact"};
static const char *const json_names[WAYS] = {"dgemm", "dstrassen", "dwinograd", "exact"};
static const enum input kinds[KINDS] = {INPUT_UNIFORM, INPUT_POSITIVE};

/* Differences from the classical product, and its mean absolute value. */
struct differences {
    double mean[WAYS], most[WAYS], magnitude;
};

static struct differences differences_of(enum input input, uint64_t seed, double *a, double *b,
                                         double *sums)
{
    struct differences d = {{0}, {0}, 0};
    struct matrix rows = {.precision = PRECISION_F64,
                          .rows = SIDE,
                          .cols = ELEMENTS_N,
                          .ld = ELEMENTS_N,
                          .host = a},
                  columns = rows;
    columns.host = b;
    for (int t = 0; t < TRIES; t++) {
        input_fill(&rows, input, OPERAND_A, seed * TRIES + (uint64_t)t, 0);
        input_fill(&columns, input, OPERAND_B, seed * TRIES + (uint64_t)t, 0);
        struct parts x = {SIDE, PART, {NULL}}, y = x;
        for (int i = 0; i < PARTS; i++) {
            x.at[i] = a + i / SIDE * ELEMENTS_N + i % SIDE * PART;
            y.at[i] = b + i % SIDE * ELEMENTS_N + i / SIDE * PART;
        }
        struct arena arena = {sums, 0};
        struct parts strassen = strassen_parts(&arena, x, y),
                     winograd = winograd_parts(&arena, x, y);
        for (int i = 0; i < PARTS; i++) {
            const double *row = a + i / SIDE * ELEMENTS_N, *column = b + i % SIDE * ELEMENTS_N;
            const double expected = classical_element(row, column),
                         found[WAYS] = {dgemm_element(row, column, ELEMENTS_N), *strassen.at[i],
                                        *winograd.at[i], exact(row, column)};
            d.magnitude += fabs(expected) / (TRIES * PARTS);
            for (int way = 0; way < WAYS; way++) {
                double difference = fabs(found[way] - expected);
                d.mean[way] += difference / (TRIES * PARTS);
                d.most[way] = fmax(d.most[way], difference);
            }
        }
    }
    for (int way = 0; way < WAYS; way++)
        d.mean[way] /= d.magnitude, d.most[way] /= d.magnitude;
    return d;
}

static void print_json(const struct options *o, int kind, int way, const struct differences *d)
{
    struct json json = json_begin(stdout);
    json_text(&json, "step", o->step->name);
    json_text(&json, "variant", json_names[way]);
    json_text(&json, "backend", backend.name);
    json_text(&json, "device", backend.device());
    json_text(&json, "precision", "f64");
    json_text(&json, "input", input_names[kinds[kind]]);
    json_whole(&json, "n", ELEMENTS_N);
    json_whole(&json, "levels", 2);
    json_whole(&json, "pairs", 1);
    json_number(&json, "maximum", d->most[way]);
    json_number(&json, "average", d->mean[way]);
    json_end(&json);
}

int print_elements(const struct options *o)
{
    struct differences found[KINDS];
    size_t operand = (size_t)SIDE * ELEMENTS_N * sizeof(double);
    double *a = (double *)malloc(operand), *b = (double *)malloc(operand);
    double *sums = (double *)malloc(ARENA * sizeof(double));
    int status = EXIT_RESOURCE;
    if (a && b && sums) {
        for (int kind = 0; kind < KINDS; kind++)
            found[kind] = differences_of(kinds[kind], o->seed, a, b, sums);
        for (int i = 0; o->json && i < KINDS * WAYS; i++)
            print_json(o, i / WAYS, i % WAYS, &found[i / WAYS]);
        status = EXIT_RIGHT;
    }
    if (status == EXIT_RIGHT && !o->json) {
        printf(
            "Figure 44 on the processor: differences from the classical product over its mean\n"
            "size, mean (maximum), %d elements of C, n = %d, two levels, seed %llu; beside it "
            "the\n"
            "document's, of all elements of ten matrices, \"from the range [-1, 1]\"\n\n"
            "%-10s %-20s %-20s %s\n",
            TRIES * PARTS, ELEMENTS_N, (unsigned long long)o->seed, "", "from [-1, 1]",
            "from [0, 1]", "document");
        for (int way = 0; way < WAYS; way++) {
            printf("%-10s", way_names[way]);
            for (int kind = 0; kind < KINDS; kind++)
                printf(" %.1e (%.1e)   ", found[kind].mean[way], found[kind].most[way]);
            if (way < 3)
                printf(" %s (%s)\n", paper_text("44", way_names[way], "average"),
                       paper_text("44", way_names[way], "maximum"));
            else
                printf(" -\n");
        }
    } else if (status == EXIT_RESOURCE) {
        fprintf(stderr, "--elements: not enough memory\n");
    }
    free(a), free(b), free(sums);
    return status;
}
