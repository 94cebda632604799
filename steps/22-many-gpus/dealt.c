/* SPDX-License-Identifier: MIT */
/** @file dealt.c
 * Strassen's products dealt out to the ranks: what Communication-Avoiding Parallel Strassen
 * (Ballard and others 2012) calls a breadth-first step.
 *
 * All 7^levels left factors and right factors are made first, each rank making its rows of
 * every one. Then come rounds: in round t rank r gets product t P + r. The others send it their
 * rows of both factors, it multiplies alone, and sends each of them its rows of the product.
 * While a round is multiplied the factors of the next one travel.
 */
#include <stdlib.h>

#include "place.h"
#include "rank_plan.h"
#include "share.h"

static long products_of_plan(const struct rank_plan *p)
{
    long products = 1;
    for (int level = 0; level < p->dealt; level++)
        products *= PRODUCTS;
    return products;
}

static const char *prepare(struct rank_plan *p)
{
    p->down = p->ranks, p->across = 1;
    return NULL;
}

struct shares rows_shares(const struct rank_plan *p, int rank)
{
    int levels = p->above + p->dealt;
    return (struct shares){{{p->m, p->k, levels, p->ranks, 1}, rank, 0, NULL},
                           {{p->k, p->n, levels, p->ranks, 1}, rank, 0, NULL},
                           {{p->m, p->n, levels, p->ranks, 1}, rank, 0, NULL}};
}

/* The dimensions of one product. */
struct product_edges {
    long m, n, k;
};

static struct product_edges product_edges_of(const struct rank_plan *p)
{
    return (struct product_edges){bottom_m(p) >> p->dealt, bottom_n(p) >> p->dealt,
                                  bottom_k(p) >> p->dealt};
}

/* Elements of the sums above the last level, one a level: quarters of the largest share. */
static long sums_above(const struct rank_plan *p, int rank)
{
    struct product_edges s = product_edges_of(p);
    long tile =
        larger(piece(s.m, p->ranks, rank) * larger(s.k, s.n), piece(s.k, p->ranks, rank) * s.n);
    long sums = 0;
    for (int level = 1; level < p->dealt; level++)
        sums += tile << 2 * level;
    return sums;
}

static size_t workspace(const struct rank_plan *p, int rank)
{
    struct product_edges s = product_edges_of(p);
    long m = piece(s.m, p->ranks, rank), k = piece(s.k, p->ranks, rank);
    long rows_of_all = products_of_plan(p) * (m * s.k + k * s.n + m * s.n);
    return (size_t)(rows_of_all + sums_above(p, rank) +
                    2 * (s.m * s.k + s.k * s.n + s.m * s.n));
}

/// [factors]
/* All left factors of x (or right ones), one after another from `to` on. Above the last level
   there is one sum at a time. */
static real *make_factors(const struct place *place, struct share x, bool right, int levels,
                          real *sums, real *to)
{
    long quarter = share_elements(&x) / 4;
    if (levels == 0) {
        place->sum(to, x.at, 1, NULL, 0, share_elements(&x));
        return to + share_elements(&x);
    }
    for (int i = 0; i < PRODUCTS; i++) {
        struct share sum = quadrant_share(x, 0);
        sum.at = levels == 1 ? to : sums;
        sum_quadrants(place, &x, right ? strassen[i].b : strassen[i].a, sum.at);
        to = levels == 1 ? to + quarter
                         : make_factors(place, sum, right, levels - 1, sums + quarter, to);
    }
    return to;
}

/* The way back: from all products to C. */
static const real *join_products(const struct place *place, struct share c, int levels,
                                 real *sums, const real *from)
{
    long quarter = share_elements(&c) / 4;
    if (levels == 0) {
        place->sum(c.at, from, 1, NULL, 0, share_elements(&c));
        return from + share_elements(&c);
    }
    for (int i = 0; i < PRODUCTS; i++) {
        struct share sum = quadrant_share(c, 0);
        sum.at = sums;
        const real *product = levels == 1 ? from : sums;
        from = levels == 1 ? from + quarter
                           : join_products(place, sum, levels - 1, sums + quarter, from);
        add_product(place, &c, i, product);
    }
    return from;
}
/// [factors]

/* A rank's rows of every factor and product, and the blocks for the products that it
 * multiplies.
 */
struct deal {
    const struct world *w;
    struct product_edges shape;
    long products;
    real *left, *right, *result; /* rows of all, one product after another */
    struct block a[2], b[2], c[2];
};

/* The rows of rank r in a block of which each rank has some. */
static struct block rows_of(const struct deal *d, struct block x, int r)
{
    int ranks = d->w->plan->ranks;
    return part(x, cut(x.rows, ranks, r), 0, piece(x.rows, ranks, r), x.cols);
}

/* This rank's rows of product j's factor or result, in the list of all. */
static struct block rows_in(const struct deal *d, real *list, long j, long rows, long cols)
{
    long mine = piece(rows, d->w->plan->ranks, d->w->comm->rank);
    return (struct block){list + j * mine * cols, mine, cols, cols};
}

static void copy_here(const struct deal *d, struct block from, struct block to)
{
    d->w->comm->place->sum(to.at, from.at, 1, NULL, 0, from.rows * from.cols);
}

/* Factors of round t on their way to those who will multiply them. */
static void deal_factors(struct deal *d, long t, struct exchange *x)
{
    int me = d->w->comm->rank, ranks = d->w->comm->ranks;
    struct product_edges s = d->shape;
    exchange_begin(x, d->w->comm, "factors");
    for (int step = 0; step < ranks; step++) {
        int to = (me + step) % ranks, from = (me - step + ranks) % ranks;
        long j = t * ranks + to;
        bool mine = t * ranks + me < d->products;
        struct block left = rows_in(d, d->left, j, s.m, s.k),
                     right = rows_in(d, d->right, j, s.k, s.n);
        if (step == 0 && mine) {
            copy_here(d, left, rows_of(d, d->a[t % 2], me));
            copy_here(d, right, rows_of(d, d->b[t % 2], me));
        }
        if (step > 0 && j < d->products) {
            exchange_send(x, left, to);
            exchange_send(x, right, to);
        }
        if (step > 0 && mine) {
            exchange_receive(x, rows_of(d, d->a[t % 2], from), from);
            exchange_receive(x, rows_of(d, d->b[t % 2], from), from);
        }
    }
    exchange_start(x);
}

/* Products of round t on their way back to those who have their rows. */
static void return_products(struct deal *d, long t, struct exchange *x)
{
    int me = d->w->comm->rank, ranks = d->w->comm->ranks;
    struct product_edges s = d->shape;
    exchange_begin(x, d->w->comm, "products");
    for (int step = 0; step < ranks; step++) {
        int to = (me + step) % ranks, from = (me - step + ranks) % ranks;
        long j = t * ranks + from;
        bool mine = t * ranks + me < d->products;
        struct block rows = rows_in(d, d->result, j, s.m, s.n);
        if (step == 0 && mine)
            copy_here(d, rows_of(d, d->c[t % 2], me), rows);
        if (step > 0 && mine)
            exchange_send(x, rows_of(d, d->c[t % 2], to), to);
        if (step > 0 && j < d->products)
            exchange_receive(x, rows, from);
    }
    exchange_start(x);
}

/// [rounds]
/* Round after round: the factors of round t + 1 and the products of round t - 1 travel while
   round t is multiplied. */
static void play(struct deal *d)
{
    struct exchange factors[2], products[2];
    int me = d->w->comm->rank, ranks = d->w->comm->ranks;
    long rounds = pieces_of(d->products, ranks);
    deal_factors(d, 0, &factors[0]);
    for (long t = 0; t < rounds; t++) {
        exchange_end(&factors[t % 2]);
        if (t + 1 < rounds)
            deal_factors(d, t + 1, &factors[(t + 1) % 2]);
        if (t * ranks + me < d->products)
            multiply_here(d->w, product_on(d->a[t % 2], d->b[t % 2], d->c[t % 2]));
        if (t > 0)
            exchange_end(&products[(t - 1) % 2]);
        return_products(d, t, &products[t % 2]);
    }
    exchange_end(&products[(rounds - 1) % 2]);
}
/// [rounds]

static void multiply(const struct world *w, const struct shares *s, real *workspace)
{
    const struct rank_plan *p = w->plan;
    const struct place *place = w->comm->place;
    struct deal d = {.w = w, .shape = product_edges_of(p), .products = products_of_plan(p)};
    int me = w->comm->rank;
    long m = piece(d.shape.m, p->ranks, me), k = piece(d.shape.k, p->ranks, me);
    d.left = take_elements(&workspace, d.products * m * d.shape.k);
    d.right = take_elements(&workspace, d.products * k * d.shape.n);
    d.result = take_elements(&workspace, d.products * m * d.shape.n);
    real *sums = take_elements(&workspace, sums_above(p, me));
    for (int i = 0; i < 2; i++) {
        d.a[i] = take_block(&workspace, d.shape.m, d.shape.k);
        d.b[i] = take_block(&workspace, d.shape.k, d.shape.n);
        d.c[i] = take_block(&workspace, d.shape.m, d.shape.n);
    }
    make_factors(place, s->a, false, p->dealt, sums, d.left);
    make_factors(place, s->b, true, p->dealt, sums, d.right);
    play(&d);
    join_products(place, s->c, p->dealt, sums, d.result);
}

/// [traffic]
/* Of J products the rank multiplies `own`. For each of these the others' rows of both factors
   come and their rows of the product go; for each of the others it is the other way round. */
static void traffic(const struct rank_plan *p, int rank, struct traffic *sent,
                    struct traffic *received)
{
    struct product_edges s = product_edges_of(p);
    double products = (double)products_of_plan(p);
    double own = (double)((products_of_plan(p) - rank + p->ranks - 1) / p->ranks);
    double m = (double)piece(s.m, p->ranks, rank), k = (double)piece(s.k, p->ranks, rank);
    double others = (double)(s.m - (long)m) * s.k + (double)(s.k - (long)k) * s.n;
    received->words = own * others + (products - own) * m * (double)s.n;
    sent->words = (products - own) * (m * (double)s.k + k * (double)s.n) +
                  own * (double)(s.m - (long)m) * (double)s.n;
    double with_m = 0, with_k = 0; /* other ranks that have rows at all */
    for (int r = 0; r < p->ranks; r++)
        if (r != rank)
            with_m += piece(s.m, p->ranks, r) > 0, with_k += piece(s.k, p->ranks, r) > 0;
    received->messages = own * (with_m + with_k) + (m > 0 ? products - own : 0);
    sent->messages = (products - own) * ((m > 0) + (k > 0)) + own * with_m;
}
/// [traffic]

const struct bottom bottom_dealt = {prepare, rows_shares, workspace, multiply, traffic};
