/* SPDX-License-Identifier: MIT */
/** @file packed_level.h
 * One level of Strassen's method over panels and tiles, for two exercises of step 05. Each of
 * them passes in the one function that it is about. The code is short and slow: it has the
 * loops of step 02 without their blocks.
 */
#ifndef EXERCISES_PACKED_LEVEL_H
#define EXERCISES_PACKED_LEVEL_H

#include <stdbool.h>

#include "exercises/counted.h"

/* A tile of C has ROWS x COLS elements. */
enum { ROWS = 4, COLS = 8 };

/* Packs rows [i, i + ROWS) of x + sign * y, or of x where y.at is NULL, column by column. */
typedef void pack_function(struct block x, struct block y, real sign, long i, real *packed);

/* Adds the upper left rows x cols elements of a tile to c1, times sign1, and to c2, times
   sign2, at row i and column j of both; c2.at may be NULL. */
typedef void update_function(const real *tile, long rows, long cols, long i, long j,
                             struct block c1, real sign1, struct block c2, real sign2);

/* One or two quadrants, 0 to 3, and their signs; `second` is -1 where there is only one. */
struct two {
    int first, second;
    real sign1, sign2;
};

/* For each of the seven products: the quadrants of A and of B that it reads, and those of C
   that it is added to. */
static const struct two strassen[7][3] = {
    {{0, 3, 1, 1}, {0, 3, 1, 1}, {0, 3, 1, 1}},   {{2, 3, 1, 1}, {0, -1, 1, 0}, {2, 3, 1, -1}},
    {{0, -1, 1, 0}, {1, 3, 1, -1}, {1, 3, 1, 1}}, {{3, -1, 1, 0}, {2, 0, 1, -1}, {0, 2, 1, 1}},
    {{0, 1, 1, 1}, {3, -1, 1, 0}, {0, 1, -1, 1}}, {{2, 0, 1, -1}, {0, 1, 1, 1}, {3, -1, 1, 0}},
    {{1, 3, 1, -1}, {2, 3, 1, 1}, {0, -1, 1, 0}},
};

static inline struct block quadrant(struct block x, int number)
{
    struct quadrants q = quadrants_of(x);
    struct block none = {0};
    return number == 0   ? q.q11
           : number == 1 ? q.q12
           : number == 2 ? q.q21
           : number == 3 ? q.q22
                         : none;
}

/* The one quadrant of x, or `place` with the sum or difference of the two. */
static inline struct block sum_in_memory(struct block x, struct two q, struct block place)
{
    if (q.second < 0)
        return quadrant(x, q.first);
    (q.sign2 > 0 ? plus : minus)(quadrant(x, q.first), quadrant(x, q.second), place);
    return place;
}

/* Sets the tile to a panel of A times columns [j, j + COLS) of b. */
ONCE void multiply_tile(const real *panel, struct block b, long j, real *tile)
{
    for (int i = 0; i < ROWS * COLS; i++)
        tile[i] = 0;
    for (long l = 0; l < b.rows; l++)
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < COLS && j + k < b.cols; k++)
                tile[i * COLS + k] += panel[l * ROWS + i] * b.at[l * b.ld + j + k];
}

/* C = A * B. `workspace` has space for a panel of A and a quadrant of B, and for a quadrant of
 * A if the sums of A are computed in memory. */
ONCE void packed_level(struct product p, real *workspace, bool sums_of_a, pack_function *pack,
                       update_function *update)
{
    struct block A = p.a, B = p.b, C = p.c, none = {0};
    real *panel = workspace, tile[ROWS * COLS];
    workspace += ROWS * (p.a.cols / 2);
    struct block T = take_block(&workspace, p.a.cols / 2, p.c.cols / 2), S = none;
    if (sums_of_a)
        S = take_block(&workspace, p.c.rows / 2, p.a.cols / 2);
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++)
            C.at[i * C.ld + j] = 0;
    for (int number = 0; number < 7; number++) {
        struct two qa = strassen[number][0], qc = strassen[number][2];
        struct block a = sums_of_a ? sum_in_memory(A, qa, S) : quadrant(A, qa.first);
        struct block with = sums_of_a ? none : quadrant(A, qa.second);
        struct block b = sum_in_memory(B, strassen[number][1], T), c = quadrant(C, qc.first);
        apart_made(sizeof(real), apart_of(a), apart_of(b));
        for (long i = 0; i < c.rows; i += ROWS) {
            pack(a, with, qa.sign2, i, panel);
            for (long j = 0; j < c.cols; j += COLS) {
                multiply_tile(panel, b, j, tile);
                update(tile, c.rows - i < ROWS ? c.rows - i : ROWS,
                       c.cols - j < COLS ? c.cols - j : COLS, i, j, c, qc.sign1,
                       quadrant(C, qc.second), qc.sign2);
            }
        }
    }
}

#endif
