/* SPDX-License-Identifier: MIT */
/** @file nested.c
 * Strassen's products dealt out to seven groups of ranks, which deal theirs out to seven groups
 * again, on 7^levels ranks: the breadth-first steps of Ballard and others (2012).
 *
 * At every level a rank exchanges messages with only six others. The ranks of a group are
 * numbered in order, and each seven neighbours trade: each sends its rows of product i's
 * factors to the i-th of them. The i-th neighbours of all the sevens form group i. They now
 * hold the factors of product i, cut by rows as before.
 */
#include "rank.h"

/* The i-th of this rank's seven neighbours, itself included. */
static int neighbour(struct group t, int i) { return t.mine / PRODUCTS * PRODUCTS + i; }

/* The group that gets this rank's product. */
static struct group inner_group(struct group t)
{
    return (struct group){t.first + t.mine % PRODUCTS * t.stride, t.stride * PRODUCTS,
                          t.count / PRODUCTS, t.mine / PRODUCTS, NULL};
}

/* The group of this rank when `levels` levels are left to deal out. */
static struct group group_at(const struct rank_plan *p, int rank, int levels)
{
    struct group t = {0, 1, p->ranks, rank, NULL};
    for (int dealt = p->dealt; dealt > levels; dealt--)
        t = inner_group(t);
    return t;
}

static const char *prepare(struct rank_plan *p)
{
    p->down = p->ranks, p->across = 1;
    return dealt_products(p) == p->ranks
               ? NULL
               : "groups of groups take 1, 7, 49 or 343 ranks; strassen-bfs takes any number";
}

/* This rank's share in its group of a matrix; the dealt products below it have `rows` rows. */
static struct block share_in(struct group t, int levels, long rows, long cols, real *at)
{
    return (struct block){at, piece(rows, t.count, t.mine) << 2 * levels, cols, cols};
}

/* A matrix that is traded: the rank's part of all seven sums of its quadrants (or of all seven
   products), one after another, and its share of the one that its group gets. */
struct traded {
    real *list;
    long elements; /* of one in the list */
    struct block inner;
    long rows; /* of the matrix of a dealt product */
};

static struct traded take_traded(struct group inner, int levels, struct block outer, long rows,
                                 real **workspace)
{
    long elements = block_elements(outer) / 4;
    real *list = take_elements(workspace, PRODUCTS * elements);
    struct block share = share_in(inner, levels - 1, rows, outer.cols, *workspace);
    *workspace += block_elements(share);
    return (struct traded){list, elements, share, rows};
}

/* Trades between the lists of seven neighbours and their shares: from list to share for
   factors, from share to list for products. Neighbour i gets its rows of every tile: one
   message holds a matrix with one row for each tile. */
static void trade(const struct rank *r, struct exchange *x, struct group t, int levels,
                  const struct traded *h, bool factors)
{
    int own = t.mine % PRODUCTS;
    long tiles = 1L << 2 * (levels - 1), tile = block_elements(h->inner) / tiles;
    for (int step = 0; step < PRODUCTS; step++) {
        int to = (own + step) % PRODUCTS, from = (own - step + PRODUCTS) % PRODUCTS;
        int i = factors ? to : from, other = neighbour(t, factors ? from : to);
        long first = cut(h->rows, t.count, other) - cut(h->rows, t.count, neighbour(t, 0));
        struct block listed = {h->list + i * h->elements, tiles, h->elements / tiles,
                               h->elements / tiles};
        struct block shared = {h->inner.at + first * h->inner.cols, tiles,
                               piece(h->rows, t.count, other) * h->inner.cols, tile};
        struct block out = factors ? listed : shared, in = factors ? shared : listed;
        for (long b = 0; step == 0 && b < out.rows; b++)
            r->comm->place->sum(in.at + b * in.ld, out.at + b * out.ld, 1, NULL, 0, out.cols);
        if (step > 0) {
            exchange_send(x, out, member(&t, neighbour(t, to)));
            exchange_receive(x, in, member(&t, neighbour(t, from)));
        }
    }
}

/// [nested]
/* Multiplies a group's shares, with `levels` levels left to deal out. */
static void multiply_nested(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    const struct rank *r = ctx->rank;
    const struct place *place = r->comm->place;
    if (levels == 0) {
        multiply_here(ctx, p);
        return;
    }
    struct group t = group_at(&r->plan, r->comm->rank, levels), inner = inner_group(t);
    struct sides s = dealt_sides(&r->plan);
    struct traded a = take_traded(inner, levels, p.a, s.m, &workspace),
                  b = take_traded(inner, levels, p.b, s.k, &workspace),
                  c = take_traded(inner, levels, p.c, s.m, &workspace);
    for (int i = 0; i < PRODUCTS; i++) {
        sum_quadrants(place, p.a, strassen[i].a, a.list + i * a.elements);
        sum_quadrants(place, p.b, strassen[i].b, b.list + i * b.elements);
    }
    struct exchange exchange;
    exchange_begin(&exchange, r->comm, "factors for groups");
    trade(r, &exchange, t, levels, &a, true);
    trade(r, &exchange, t, levels, &b, true);
    exchange_start(&exchange);
    exchange_end(&exchange);
    multiply_nested(ctx, product_on(a.inner, b.inner, c.inner), levels - 1, workspace);
    exchange_begin(&exchange, r->comm, "products of groups");
    trade(r, &exchange, t, levels, &c, false);
    exchange_start(&exchange);
    exchange_end(&exchange);
    for (int i = 0; i < PRODUCTS; i++)
        add_product(place, p.c, i, c.list + i * c.elements);
}
/// [nested]

/* Elements of a rank's shares of A, B and C in a group. */
static long share_in_group(const struct rank_plan *p, struct group t, int levels)
{
    struct sides s = dealt_sides(p);
    long m = piece(s.m, t.count, t.mine), k = piece(s.k, t.count, t.mine);
    return (m * s.k + k * s.n + m * s.n) << 2 * levels;
}

static size_t workspace(const struct rank_plan *p, int rank)
{
    size_t elements = 0;
    for (int levels = p->dealt; levels > 0; levels--)
        elements +=
            (size_t)(share_in_group(p, group_at(p, rank, levels), levels - 1) * PRODUCTS +
                     share_in_group(p, group_at(p, rank, levels - 1), levels - 1));
    return elements;
}

/// [traffic]
/* A level moves a quarter of all shares, in as many blocks as the levels below it make: factors
   to and from six neighbours, and products in the opposite direction. */
static struct moved traffic(const struct rank_plan *p, int rank)
{
    struct sides s = dealt_sides(p);
    struct moved moved = {{0, 0}, {0, 0}};
    for (int levels = p->dealt; levels > 0; levels--) {
        struct group t = group_at(p, rank, levels);
        double blocks = 1L << 2 * (levels - 1), k = (double)s.k, n = (double)s.n;
        double mine_m = (double)piece(s.m, t.count, t.mine),
               mine_k = (double)piece(s.k, t.count, t.mine);
        for (int i = 0; i < PRODUCTS; i++) {
            double m_of_i = (double)piece(s.m, t.count, neighbour(t, i));
            double k_of_i = (double)piece(s.k, t.count, neighbour(t, i));
            if (neighbour(t, i) == t.mine)
                continue;
            add_traffic(&moved.sent,
                        (struct traffic){(mine_m > 0) + (mine_k > 0) + (m_of_i > 0),
                                         blocks * (mine_m * k + mine_k * n + m_of_i * n)});
            add_traffic(&moved.received,
                        (struct traffic){(m_of_i > 0) + (k_of_i > 0) + (mine_m > 0),
                                         blocks * (m_of_i * k + k_of_i * n + mine_m * n)});
        }
    }
    return moved;
}
/// [traffic]

const struct bottom bottom_nested = {prepare, rows_shares, workspace, multiply_nested, traffic};
