/* SPDX-License-Identifier: MIT */
/** @file dealt.c
 * Strassen's products dealt out to the ranks: what Communication-Avoiding Parallel Strassen
 * (Ballard and others 2012) calls a breadth-first step.
 *
 * First all 7^levels left factors and right factors are made; each rank makes its rows of every
 * one. Then come rounds: in round t rank r gets product t P + r. The others send it their rows
 * of both factors; it multiplies alone and sends each of them its rows of the product. While
 * one round is multiplied, the factors of the next one are sent.
 */
#include "steps/22-many-gpus/ranks/rank.h"

static void prepare(struct rank_plan *p) { p->down = p->ranks, p->across = 1; }

static struct shares rows_shares(const struct rank_plan *p, int rank)
{
    int levels = p->above + p->dealt;
    return (struct shares){{p->m, p->k, levels, p->ranks, 1, rank, 0},
                           {p->k, p->n, levels, p->ranks, 1, rank, 0},
                           {p->m, p->n, levels, p->ranks, 1, rank, 0}};
}

/* Elements of the sums above the last level, one per level: quarters of the largest share. */
static long sums_above(const struct rank_plan *p, int rank)
{
    struct sides s = dealt_sides(p);
    long tile =
        larger(piece(s.m, p->ranks, rank) * larger(s.k, s.n), piece(s.k, p->ranks, rank) * s.n);
    long sums = 0;
    for (int level = 1; level < p->dealt; level++)
        sums += tile << 2 * level;
    return sums;
}

static size_t workspace(const struct rank_plan *p, int rank)
{
    struct sides s = dealt_sides(p);
    long m = piece(s.m, p->ranks, rank), k = piece(s.k, p->ranks, rank);
    long rows_of_all = dealt_products(p) * (m * s.k + k * s.n + m * s.n);
    return (size_t)(rows_of_all + sums_above(p, rank) +
                    2 * (s.m * s.k + s.k * s.n + s.m * s.n));
}

/* Makes all left factors of x (or all right ones), one after another from `to` on. Above the
   last level there is one sum at a time. */
static real *make_factors(const struct place *place, struct block x, bool right, int levels,
                          real *sums, real *to)
{
    long quarter = block_elements(x) / 4;
    if (levels == 0) {
        place->sum(to, x.at, 1, NULL, 0, block_elements(x));
        return to + block_elements(x);
    }
    for (int i = 0; i < PRODUCTS; i++) {
        const struct scheme_product *p = &strassen_scheme.product[i];
        struct block sum =
            sum_quadrants(place, x, right ? p->b : p->a, levels == 1 ? to : sums);
        to = levels == 1 ? to + quarter
                         : make_factors(place, sum, right, levels - 1, sums + quarter, to);
    }
    return to;
}

/* Joins all products into C. */
static const real *sum_up_products(const struct place *place, struct block C, int levels,
                                   real *sums, const real *from)
{
    long quarter = block_elements(C) / 4;
    if (levels == 0) {
        place->sum(C.at, from, 1, NULL, 0, block_elements(C));
        return from + block_elements(C);
    }
    for (int i = 0; i < PRODUCTS; i++) {
        struct block sum = {sums, C.rows / 4, C.cols, C.cols};
        const real *product = levels == 1 ? from : sums;
        from = levels == 1 ? from + quarter
                           : sum_up_products(place, sum, levels - 1, sums + quarter, from);
        add_product(place, C, i, product);
    }
    return from;
}

/* The left factors, the right factors or the products: this rank's rows of all of them, one
   after another, and the whole matrices that it multiplies in this round and the next. */
struct hand {
    real *rows;
    struct block whole[2];
};

struct deal {
    const struct rank *r;
    long products;
    struct hand left, right, result;
};

static struct hand take_hand(const struct deal *d, long height, long cols, real **workspace)
{
    long mine = piece(height, d->r->plan.ranks, d->r->comm->rank);
    struct hand hand = {.rows = take_elements(workspace, d->products * mine * cols)};
    for (int i = 0; i < 2; i++)
        hand.whole[i] = take_block(workspace, height, cols);
    return hand;
}

/* This rank's rows of matrix j. */
static struct block rows_in(const struct deal *d, const struct hand *h, long j)
{
    struct block x = h->whole[0];
    long mine = piece(x.rows, d->r->plan.ranks, d->r->comm->rank);
    return (struct block){h->rows + j * mine * x.cols, mine, x.cols, x.cols};
}

/* Rank r's rows of the whole matrix of round t. */
static struct block rows_of(const struct deal *d, const struct hand *h, long t, int r)
{
    struct block x = h->whole[t % 2];
    return part(x, cut(x.rows, d->r->plan.ranks, r), 0, piece(x.rows, d->r->plan.ranks, r),
                x.cols);
}

/* Exchanges round t's blocks with two ranks, `step` places after and before this one: blocks go
   to the ranks that multiply them, or `back` from there. */
static void pass(const struct deal *d, const struct hand *h, long t, int step, bool back,
                 struct exchange *x)
{
    int me = d->r->comm->rank, ranks = d->r->comm->ranks;
    int to = (me + step) % ranks, from = (me - step + ranks) % ranks;
    long mine = t * ranks + me, other = t * ranks + (back ? from : to);
    struct block rows = rows_in(d, h, other), whole = rows_of(d, h, t, back ? to : from);
    struct block out = back ? whole : rows, in = back ? rows : whole;
    if (step == 0 && mine < d->products)
        d->r->comm->place->sum(in.at, out.at, 1, NULL, 0, block_elements(in));
    if (step > 0 && (back ? mine : other) < d->products)
        exchange_send(x, out, to);
    if (step > 0 && (back ? other : mine) < d->products)
        exchange_receive(x, in, from);
}

/* Sends the factors of round t to the ranks that will multiply them. */
static void deal_factors(const struct deal *d, long t, struct exchange *x)
{
    exchange_begin(x, d->r->comm, "factors");
    for (int step = 0; step < d->r->comm->ranks; step++) {
        pass(d, &d->left, t, step, false, x);
        pass(d, &d->right, t, step, false, x);
    }
    exchange_start(x);
}

/* Sends the products of round t back to the ranks that own their rows. */
static void return_products(const struct deal *d, long t, struct exchange *x)
{
    exchange_begin(x, d->r->comm, "products");
    for (int step = 0; step < d->r->comm->ranks; step++)
        pass(d, &d->result, t, step, true, x);
    exchange_start(x);
}

/// [rounds]
/* Runs round after round: while round t is multiplied, the factors of round t + 1 and the
   products of round t - 1 are on their way. */
static void play(const struct context *ctx, const struct deal *d)
{
    struct exchange factors[2], products[2];
    int me = d->r->comm->rank, ranks = d->r->comm->ranks;
    long rounds = pieces_of(d->products, ranks);
    deal_factors(d, 0, &factors[0]);
    for (long t = 0; t < rounds; t++) {
        exchange_end(&factors[t % 2]);
        if (t + 1 < rounds)
            deal_factors(d, t + 1, &factors[(t + 1) % 2]);
        if (t * ranks + me < d->products)
            multiply_here(ctx, product_on(d->left.whole[t % 2], d->right.whole[t % 2],
                                          d->result.whole[t % 2]));
        if (t > 0)
            exchange_end(&products[(t - 1) % 2]);
        return_products(d, t, &products[t % 2]);
    }
    exchange_end(&products[(rounds - 1) % 2]);
}
/// [rounds]

void multiply_dealt(const struct context *ctx, struct product p, int levels, real *workspace)
{
    const struct rank *r = ctx->rank;
    const struct place *place = r->comm->place;
    struct sides s = dealt_sides(&r->plan);
    struct deal d = {.r = r, .products = dealt_products(&r->plan)};
    d.left = take_hand(&d, s.m, s.k, &workspace);
    d.right = take_hand(&d, s.k, s.n, &workspace);
    d.result = take_hand(&d, s.m, s.n, &workspace);
    make_factors(place, p.a, false, levels, workspace, d.left.rows);
    make_factors(place, p.b, true, levels, workspace, d.right.rows);
    play(ctx, &d);
    sum_up_products(place, p.c, levels, workspace, d.result.rows);
}

/* Of all products this rank multiplies `own`. For each of these it receives the others' rows of
   both factors and sends their rows of the product; for each other product it is the other way
   round. */
static struct moved traffic(const struct rank_plan *p, int rank)
{
    struct sides s = dealt_sides(p);
    double products = (double)dealt_products(p);
    double own = (double)((dealt_products(p) - rank + p->ranks - 1) / p->ranks);
    double m = (double)piece(s.m, p->ranks, rank), k = (double)piece(s.k, p->ranks, rank);
    double others = (double)(s.m - (long)m) * s.k + (double)(s.k - (long)k) * s.n;
    double with_m = 0, with_k = 0; /* how many other ranks have rows at all */
    for (int r = 0; r < p->ranks; r++)
        if (r != rank)
            with_m += piece(s.m, p->ranks, r) > 0, with_k += piece(s.k, p->ranks, r) > 0;
    return (struct moved){.sent = {(products - own) * ((m > 0) + (k > 0)) + own * with_m,
                                   (products - own) * (m * (double)s.k + k * (double)s.n) +
                                       own * (double)(s.m - (long)m) * (double)s.n},
                          .received = {own * (with_m + with_k) + (m > 0 ? products - own : 0),
                                       own * others + (products - own) * m * (double)s.n}};
}

const struct bottom bottom_dealt = {prepare, rows_shares, workspace, multiply_dealt, traffic};
