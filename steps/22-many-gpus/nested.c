/* SPDX-License-Identifier: MIT */
/** @file nested.c
 * Strassen's products dealt out to seven groups of ranks, which deal theirs out to seven groups
 * again, on 7^levels ranks: the breadth-first steps of Ballard and others (2012).
 *
 * At every level a rank talks to six others only. The ranks of a group stand in a row, and
 * seven neighbours exchange what they have: each sends its rows of product i's factors to the
 * i-th of them. Those who were i-th make group i, and have its factors among them, cut by rows
 * as before.
 */
#include <stdlib.h>

#include "place.h"
#include "rank_plan.h"
#include "share.h"

/* The ranks first, first + stride, ... of which this one is number `mine`. */
struct team {
    int first, stride, count, mine;
};

static struct team all_ranks(int ranks, int rank) { return (struct team){0, 1, ranks, rank}; }

/* The place of the i-th of this rank's seven neighbours, itself among them. */
static int neighbour(struct team t, int i) { return t.mine / PRODUCTS * PRODUCTS + i; }

/* The group that gets this rank's product. */
static struct team inner_team(struct team t)
{
    return (struct team){t.first + t.mine % PRODUCTS * t.stride, t.stride * PRODUCTS,
                         t.count / PRODUCTS, t.mine / PRODUCTS};
}

static const char *prepare(struct rank_plan *p)
{
    int ranks = 1;
    for (int level = 0; level < p->dealt; level++)
        ranks *= PRODUCTS;
    p->down = p->ranks, p->across = 1;
    return ranks == p->ranks
               ? NULL
               : "groups of groups take 1, 7, 49 or 343 ranks; strassen-bfs takes any number";
}

/* What this rank has of a factor of its product, or of the product: without memory. */
static struct share inner_share(struct share x, struct team t)
{
    struct share inner = quadrant_share(x, 0);
    inner.layout.down = t.count / PRODUCTS;
    inner.i = t.mine / PRODUCTS;
    return inner;
}

/* The rows that neighbour i has in the share of the product: the same ones of every block, so
   they are as many rows of a matrix, a block each. */
static struct block rows_of(struct share inner, struct team t, int i)
{
    long cols = tile_cols(&inner), block = tile_rows(&inner) * cols,
         blocks = 1L << 2 * inner.layout.levels;
    long rows = inner.layout.rows >> inner.layout.levels;
    long from = cut(rows, t.count, neighbour(t, i)) - cut(rows, t.count, neighbour(t, 0));
    return (struct block){inner.at + from * cols, blocks,
                          piece(rows, t.count, neighbour(t, i)) * cols, block};
}

/* This rank's rows of product i's factor, or of product i, in the list of all seven. */
static struct block rows_in(struct share x, real *list, int i)
{
    long blocks = 1L << 2 * (x.layout.levels - 1), elements = share_elements(&x) / 4;
    return (struct block){list + i * elements, blocks, elements / blocks, elements / blocks};
}

/* Between the lists of seven neighbours and their shares: list to share for factors, share to
   list for products. */
static void trade(const struct world *w, struct exchange *x, struct team t, struct share outer,
                  real *list, struct share inner, bool factors)
{
    int own = t.mine % PRODUCTS;
    for (int step = 0; step < PRODUCTS; step++) {
        int to = (own + step) % PRODUCTS, from = (own - step + PRODUCTS) % PRODUCTS;
        struct block out = factors ? rows_in(outer, list, to) : rows_of(inner, t, to);
        struct block in = factors ? rows_of(inner, t, from) : rows_in(outer, list, from);
        for (long b = 0; step == 0 && b < out.rows; b++)
            w->comm->place->sum(in.at + b * in.ld, out.at + b * out.ld, 1, NULL, 0, out.cols);
        if (step > 0) {
            exchange_send(x, out, t.first + t.stride * neighbour(t, to));
            exchange_receive(x, in, t.first + t.stride * neighbour(t, from));
        }
    }
}

/// [nested]
/* The product of a team's shares. */
static void deal(const struct world *w, struct team t, struct shares s, real *workspace)
{
    const struct place *place = w->comm->place;
    if (t.count == 1) {
        multiply_here(w, product_on(tile_of(&s.a, 0), tile_of(&s.b, 0), tile_of(&s.c, 0)));
        return;
    }
    struct shares inner = {inner_share(s.a, t), inner_share(s.b, t), inner_share(s.c, t)};
    long a = share_elements(&s.a) / 4, b = share_elements(&s.b) / 4,
         c = share_elements(&s.c) / 4;
    real *left = take_elements(&workspace, PRODUCTS * a),
         *right = take_elements(&workspace, PRODUCTS * b);
    real *results = take_elements(&workspace, PRODUCTS * c);
    inner.a.at = take_elements(&workspace, share_elements(&inner.a));
    inner.b.at = take_elements(&workspace, share_elements(&inner.b));
    inner.c.at = take_elements(&workspace, share_elements(&inner.c));
    for (int i = 0; i < PRODUCTS; i++) {
        sum_quadrants(place, &s.a, strassen[i].a, left + i * a);
        sum_quadrants(place, &s.b, strassen[i].b, right + i * b);
    }
    struct exchange x;
    exchange_begin(&x, w->comm, "factors for groups");
    trade(w, &x, t, s.a, left, inner.a, true);
    trade(w, &x, t, s.b, right, inner.b, true);
    exchange_start(&x);
    exchange_end(&x);
    deal(w, inner_team(t), inner, workspace);
    exchange_begin(&x, w->comm, "products of groups");
    trade(w, &x, t, s.c, results, inner.c, false);
    exchange_start(&x);
    exchange_end(&x);
    for (int i = 0; i < PRODUCTS; i++)
        add_product(place, &s.c, i, results + i * c);
}
/// [nested]

static void multiply(const struct world *w, const struct shares *s, real *workspace)
{
    deal(w, all_ranks(w->plan->ranks, w->comm->rank), *s, workspace);
}

static size_t workspace(const struct rank_plan *p, int rank)
{
    size_t elements = 0;
    struct shares s = rows_shares(p, rank);
    for (int level = 0; level < p->above; level++)
        s = quadrant_shares(&s);
    for (struct team t = all_ranks(p->ranks, rank); t.count > 1; t = inner_team(t)) {
        elements += (size_t)(shares_elements(&s) / 4 * PRODUCTS);
        s = (struct shares){inner_share(s.a, t), inner_share(s.b, t), inner_share(s.c, t)};
        elements += (size_t)shares_elements(&s);
    }
    return elements;
}

/// [traffic]
/* A level moves a quarter of all shares, in as many blocks as the levels below it make: to six
   neighbours their factors and from them theirs, and products the other way. */
static void traffic(const struct rank_plan *p, int rank, struct traffic *sent,
                    struct traffic *received)
{
    long m = bottom_m(p) >> p->dealt, n = bottom_n(p) >> p->dealt, k = bottom_k(p) >> p->dealt;
    double blocks = 1L << 2 * p->dealt;
    *sent = *received = (struct traffic){0, 0};
    for (struct team t = all_ranks(p->ranks, rank); t.count > 1; t = inner_team(t)) {
        double mine_m = (double)piece(m, t.count, t.mine),
               mine_k = (double)piece(k, t.count, t.mine);
        blocks /= 4;
        for (int i = 0; i < PRODUCTS; i++) {
            double m_of_i = (double)piece(m, t.count, neighbour(t, i));
            double k_of_i = (double)piece(k, t.count, neighbour(t, i));
            if (neighbour(t, i) == t.mine)
                continue;
            sent->words +=
                blocks * (mine_m * (double)k + mine_k * (double)n + m_of_i * (double)n);
            received->words +=
                blocks * (m_of_i * (double)k + k_of_i * (double)n + mine_m * (double)n);
            sent->messages += (mine_m > 0) + (mine_k > 0) + (m_of_i > 0);
            received->messages += (m_of_i > 0) + (k_of_i > 0) + (mine_m > 0);
        }
    }
}
/// [traffic]

const struct bottom bottom_nested = {prepare, rows_shares, workspace, multiply, traffic};
