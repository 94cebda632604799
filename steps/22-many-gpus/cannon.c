/* SPDX-License-Identifier: MIT */
/** @file cannon.c
 * Cannon's algorithm (1969) on layers of square grids, the 2.5-D product of Solomonik and
 * Demmel (2011).
 *
 * P ranks are c layers of q x q. Each layer has 1/c of k and multiplies it by Cannon's shifts:
 * tiles of A move left, tiles of B up, q - 1 times. Then the layers' sums of C are added; each
 * layer keeps 1/c of the rows. The matrices are made where Cannon's first shift would bring
 * them.
 */
#include "steps/22-many-gpus/ranks/rank.h"

/* A rank's place: row and column in its layer's grid. */
struct seat {
    int i, j, layer;
};

static struct seat seat_of(const struct rank_plan *p, int rank)
{
    int in_layer = rank % (p->down * p->across);
    return (struct seat){in_layer / p->across, in_layer % p->across,
                         rank / (p->down * p->across)};
}

static int rank_at(const struct rank_plan *p, int i, int j, int layer)
{
    int q = p->down;
    return (layer * q + (i + q) % q) * q + (j + q) % q;
}

/* The piece of k that the rank multiplies in step `step`. */
static int piece_in_step(const struct rank_plan *p, struct seat at, int step)
{
    return at.layer * p->down + (at.i + at.j + step) % p->down;
}

static void prepare(struct rank_plan *p)
{
    for (int q = 1; q * q <= p->ranks; q++)
        if (p->ranks % (q * q) == 0)
            p->down = p->across = q, p->layers = p->ranks / (q * q);
}

/* A layer's tile of C is cut into as many strips as there are layers. */
static struct shares shares(const struct rank_plan *p, int rank)
{
    struct seat at = seat_of(p, rank);
    int pieces = p->layers * p->down, mine = piece_in_step(p, at, 0);
    return (struct shares){
        {p->m, p->k, p->above, p->down, pieces, at.i, mine},
        {p->k, p->n, p->above, pieces, p->across, mine, at.j},
        {p->m, p->n, p->above, pieces, p->across, at.i * p->layers + at.layer, at.j}};
}

static long widest(const struct rank_plan *p)
{
    return pieces_of(bottom_sides(p).k, p->layers * p->down);
}

/* Two tiles of A and of B in addition to the rank's own, and the layer's tile of C. */
static size_t workspace(const struct rank_plan *p, int rank)
{
    struct seat at = seat_of(p, rank);
    long rows = piece(bottom_sides(p).m, p->down, at.i),
         cols = piece(bottom_sides(p).n, p->across, at.j);
    return (size_t)(2 * widest(p) * (rows + cols) + (p->layers > 1 ? rows * cols : 0));
}

/* The sum of all layers' tiles of C: layer l gets strip l of the rows, and keeps it in
 * `mine`. */
static void add_layers(const struct rank *r, struct block C, struct block mine)
{
    const struct rank_plan *p = &r->plan;
    struct seat at = seat_of(p, r->comm->rank);
    int strips = p->down * p->layers, first = at.i * p->layers;
    long m = bottom_sides(p).m, top = cut(m, strips, first);
    struct exchange x;
    exchange_begin(&x, r->comm, "sum of layers");
    for (int layer = 0; layer < p->layers; layer++)
        exchange_reduce(&x, &r->layers,
                        part(C, cut(m, strips, first + layer) - top, 0,
                             piece(m, strips, first + layer), C.cols),
                        layer);
    exchange_start(&x);
    exchange_end(&x);
    long from = cut(m, strips, first + at.layer) - top;
    r->comm->place->sum(mine.at, C.at + from * C.cols, 1, NULL, 0, mine.rows * C.cols);
}

void multiply_cannon(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)levels; /* other variants need more */
    const struct rank *r = ctx->rank;
    const struct rank_plan *plan = &r->plan;
    struct seat at = seat_of(plan, r->comm->rank);
    struct block A = p.a, B = p.b, C = p.c;
    long rows = A.rows, cols = B.cols, k = bottom_sides(plan).k;
    real *buffers[2] = {take_elements(&workspace, widest(plan) * (rows + cols)),
                        take_elements(&workspace, widest(plan) * (rows + cols))};
    if (plan->layers > 1)
        C = take_block(&workspace, rows, cols);
    for (int step = 0; step < plan->down; step++) {
        real *buffer = buffers[step % 2];
        long width = piece(k, plan->layers * plan->down, piece_in_step(plan, at, step + 1));
        struct block next_a = take_block(&buffer, rows, width),
                     next_b = take_block(&buffer, width, cols);
        struct exchange shift;
        exchange_begin(&shift, r->comm, "shift");
        if (step + 1 < plan->down) {
            exchange_send(&shift, A, rank_at(plan, at.i, at.j - 1, at.layer));
            exchange_send(&shift, B, rank_at(plan, at.i - 1, at.j, at.layer));
            exchange_receive(&shift, next_a, rank_at(plan, at.i, at.j + 1, at.layer));
            exchange_receive(&shift, next_b, rank_at(plan, at.i + 1, at.j, at.layer));
        }
        exchange_start(&shift);
        multiply_here(ctx, (struct product){A, B, C, step > 0});
        exchange_end(&shift);
        A = next_a, B = next_b;
    }
    if (plan->layers > 1)
        add_layers(r, C, p.c);
}

/* q - 1 shifts bring the parts of its layer's k that the rank does not begin with. Then every
   other layer sends it its strip of C, and it sends theirs. */
static struct moved traffic(const struct rank_plan *p, int rank)
{
    struct seat at = seat_of(p, rank);
    struct sides s = bottom_sides(p);
    int pieces = p->layers * p->down, first = at.i * p->layers;
    double rows = (double)piece(s.m, p->down, at.i), cols = (double)piece(s.n, p->across, at.j);
    double mine = (double)piece(s.m, pieces, first + at.layer);
    struct moved moved = {.received.words = (p->layers - 1) * mine * cols,
                          .received.messages = mine * cols > 0 ? p->layers - 1 : 0};
    for (int step = 0; step < p->down; step++) {
        double width = (double)piece(s.k, pieces, piece_in_step(p, at, step));
        struct traffic tiles = {(width * rows > 0) + (width * cols > 0), width * (rows + cols)};
        if (step > 0)
            add_traffic(&moved.received, tiles);
        if (step + 1 < p->down)
            add_traffic(&moved.sent, tiles);
    }
    for (int layer = 0; layer < p->layers; layer++) {
        double words = (double)piece(s.m, pieces, first + layer) * cols;
        if (layer != at.layer)
            add_traffic(&moved.sent, (struct traffic){words > 0, words});
    }
    return moved;
}

const struct bottom bottom_cannon = {prepare, shares, workspace, multiply_cannon, traffic};
