/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 22-whose-panel: SUMMA as one rank of a grid of 2 x 3 runs it. One process plays all
 * six ranks.
 */
#include "exercises/counted.h"

enum { DOWN = 2, ACROSS = 3, RANKS = DOWN * ACROSS };

/* A rank and all its data: its tiles, and room for what others send. Its tile of C begins with
 * zeros. */
struct rank {
    int row, column; /* its place in the grid */
    long k;          /* of the whole product */
    struct block a, b, c;
    real *room_a, *room_b;
};

static struct rank grid[RANKS];
static const struct rank *playing; /* the rank whose turn it is */
static int impossible;             /* requests for what nobody has */

/* Counts a panel that comes from another rank: one of those that get it in a broadcast. */
static void count_panel(struct block x, int receivers)
{
    apart_count(APART_BROADCASTS, 1.0 / receivers);
    apart_count(APART_WORDS, (double)(x.rows * x.cols));
}

/* Where piece i begins, and i - 1 ends, if `size` rows or columns are cut into pieces. */
static inline long cut(long size, int pieces, int i) { return size * i / pieces; }

/* Whether the owner has `width` lines from `first` on. Reports the first lack of any. */
static int can_send(const struct rank *me, const char *whose, int owner, long first, long width,
                    long has)
{
    if (first >= 0 && width >= 0 && first + width <= has)
        return 1;
    if (!impossible++)
        printf("Rank (%d, %d) asks %s %d of the grid for %ld lines from %ld on; there are %ld, "
               "counted from 0.\n",
               me->row, me->column, whose, owner, width, first, has);
    return 0;
}

/* This rank's part in a broadcast along its row of the grid: the rank in `column` sends `width`
   columns of its tile of A, from its column `first` on. Returns them as they arrive here. What
   the owner does not have never arrives, and a panel without width is not sent. */
static inline struct block broadcast_a(const struct rank *me, int column, long first,
                                       long width)
{
    me = playing;
    int in_grid = column >= 0 && column < ACROSS;
    struct block tile = in_grid ? grid[me->row * ACROSS + column].a : (struct block){0};
    if (!can_send(me, "A's owner in column", column, first, width, tile.cols))
        return (struct block){me->room_a, me->a.rows, 0, 0};
    struct block here = {me->room_a, tile.rows, width, width};
    if (column != me->column && width)
        count_panel(here, ACROSS - 1);
    copy(part(tile, 0, first, tile.rows, width), here);
    return here;
}

/* The same along this rank's column: the rank in `row` sends `width` rows of its tile of B,
 * from its row `first` on. */
static inline struct block broadcast_b(const struct rank *me, int row, long first, long width)
{
    me = playing;
    int in_grid = row >= 0 && row < DOWN;
    struct block tile = in_grid ? grid[row * ACROSS + me->column].b : (struct block){0};
    if (!can_send(me, "B's owner in row", row, first, width, tile.rows))
        return (struct block){me->room_b, 0, me->b.cols, me->b.cols};
    struct block here = {me->room_b, width, tile.cols, tile.cols};
    if (row != me->row && width)
        count_panel(here, DOWN - 1);
    copy(part(tile, first, 0, width, tile.cols), here);
    return here;
}

/* c += a * b. A panel that is missing in A or B adds nothing. */
static inline void add_panel(struct block a, struct block b, struct block c)
{
    if (a.cols == b.rows)
        product_add(a, b, c);
}

/* One rank's work: computes its tile of C, from one panel of k after another. */
static void summa(const struct rank *me)
{
    /* YOUR CODE: panel after panel: who owns it in A and in B, where it ends, add_panel() */
    int column = 0, row = 0;
    for (long from = 0, to; from < me->k; from = to) {
        /* Owners only advance. If k is small a tile may be empty: its owner is skipped. */
        while (cut(me->k, ACROSS, column + 1) <= from)
            column++;
        while (cut(me->k, DOWN, row + 1) <= from)
            row++;
        /* No owner can send more than it has: the panel ends where the first of the two tiles
         * ends. */
        long end_a = cut(me->k, ACROSS, column + 1), end_b = cut(me->k, DOWN, row + 1);
        to = end_a < end_b ? end_a : end_b;
        struct block a = broadcast_a(me, column, from - cut(me->k, ACROSS, column), to - from);
        struct block b = broadcast_b(me, row, from - cut(me->k, DOWN, row), to - from);
        add_panel(a, b, me->c);
    }
    /* END */
}

static struct block piece_of(struct block x, int down, int i, int across, int j)
{
    long top = cut(x.rows, down, i), left = cut(x.cols, across, j);
    return part(x, top, left, cut(x.rows, down, i + 1) - top,
                cut(x.cols, across, j + 1) - left);
}

/* Deals the tiles out, lets one rank after another multiply, and collects C. The order does not
   matter: no rank changes A or B, and none reads another's C. */
static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long k = p.a.cols;
    real *room = workspace;
    count_from_zero();
    impossible = 0;
    for (int i = 0; i < RANKS; i++) {
        struct rank *me = &grid[i];
        me->row = i / ACROSS, me->column = i % ACROSS, me->k = k;
        struct block a = piece_of(p.a, DOWN, me->row, ACROSS, me->column);
        struct block b = piece_of(p.b, DOWN, me->row, ACROSS, me->column);
        struct block c = piece_of(p.c, DOWN, me->row, ACROSS, me->column);
        me->a = take_block(&room, a.rows, a.cols);
        me->b = take_block(&room, b.rows, b.cols);
        me->c = take_block(&room, c.rows, c.cols);
        copy(a, me->a);
        copy(b, me->b);
        clear_counted(me->c);
        me->room_a = room, room += a.rows * k;
        me->room_b = room, room += k * b.cols;
    }
    for (int i = 0; i < RANKS; i++) {
        struct rank alone = grid[i]; /* a copy without neighbours in memory */
        playing = &grid[i];
        summa(&alone);
    }
    for (int i = 0; i < RANKS; i++)
        copy(grid[i].c, piece_of(p.c, DOWN, grid[i].row, ACROSS, grid[i].column));
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (size_t)(m * k + k * n + m * n + ACROSS * m * k + DOWN * k * n);
}

static const struct variant variants[] = {{.name = "yours",
                                           .sentence = "your rank",
                                           .multiply = multiply_yours,
                                           .workspace = workspace_yours},
                                          {0}};

const struct step STEP = {
    .name = "22-whose-panel",
    .idea = "SUMMA on a grid of 2 x 3 ranks",
    .variants = variants,
    .default_n = 64,
    .note = counted_note,
};
