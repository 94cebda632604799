/* SPDX-License-Identifier: MIT */
/** @file cannon.c
 * Cannon's algorithm (1969) on layers of square grids, the 2.5-D product of Solomonik and
 * Demmel (2011).
 *
 * P ranks are c layers of q x q. Each layer has a c-th of k and multiplies it by Cannon's
 * shifts: tiles of A go left, tiles of B up, q - 1 times. Then the layers' sums of C are added,
 * each layer keeping a c-th of the rows. The matrices are made where Cannon's first shift would
 * bring them.
 */
#include "out_of_core.h"
#include "place.h"
#include "rank_plan.h"

/* Where a rank stands: row and column of its layer's grid. */
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

/* The piece of k that the rank multiplies in this step. */
static int piece_in_step(const struct rank_plan *p, struct seat at, int step)
{
    return at.layer * p->down + (at.i + at.j + step) % p->down;
}

static const char *prepare(struct rank_plan *p)
{
    for (int q = 1; q * q <= p->ranks; q++)
        if (p->ranks % (q * q) == 0)
            p->down = p->across = q, p->layers = p->ranks / (q * q);
    return NULL;
}

/* A layer's tile of C is cut into as many strips as there are layers. */
static struct shares shares(const struct rank_plan *p, int rank)
{
    struct seat at = seat_of(p, rank);
    int pieces = p->layers * p->down, mine = piece_in_step(p, at, 0);
    return (struct shares){
        {{p->m, p->k, p->above, p->down, pieces}, at.i, mine, NULL},
        {{p->k, p->n, p->above, pieces, p->across}, mine, at.j, NULL},
        {{p->m, p->n, p->above, pieces, p->across}, at.i * p->layers + at.layer, at.j, NULL}};
}

static long widest(const struct rank_plan *p)
{
    return pieces_of(bottom_k(p), p->layers * p->down);
}

/* Two tiles of each side beside the rank's own, and the layer's tile of C. */
static size_t workspace(const struct rank_plan *p, int rank)
{
    struct seat at = seat_of(p, rank);
    long rows = piece(bottom_m(p), p->down, at.i), cols = piece(bottom_n(p), p->across, at.j);
    return (size_t)(2 * widest(p) * (rows + cols) + (p->layers > 1 ? rows * cols : 0));
}

/* The sum of all layers' tiles of C: layer l gets strip l of the rows, and keeps it. */
static void add_layers(const struct world *w, const struct shares *s, struct block c)
{
    const struct rank_plan *p = w->plan;
    struct seat at = seat_of(p, w->comm->rank);
    int strips = p->down * p->layers, first = at.i * p->layers;
    struct exchange x;
    exchange_begin(&x, w->comm, "sum of layers");
    for (int layer = 0; layer < p->layers; layer++) {
        long from = cut(bottom_m(p), strips, first + layer) - cut(bottom_m(p), strips, first);
        struct block strip =
            part(c, from, 0, piece(bottom_m(p), strips, first + layer), c.cols);
        exchange_reduce(&x, &w->layers, strip, layer);
    }
    exchange_start(&x);
    exchange_end(&x);
    struct block mine = tile_of(&s->c, 0);
    long from = cut(bottom_m(p), strips, s->c.i) - cut(bottom_m(p), p->down, at.i);
    w->comm->place->sum(mine.at, c.at + from * c.cols, 1, NULL, 0, mine.rows * c.cols);
}

/// [cannon]
static void multiply(const struct world *w, const struct shares *s, real *workspace)
{
    const struct rank_plan *p = w->plan;
    struct seat at = seat_of(p, w->comm->rank);
    struct block a = tile_of(&s->a, 0), b = tile_of(&s->b, 0), c = tile_of(&s->c, 0);
    long rows = a.rows, cols = b.cols;
    real *buffers[2] = {take_elements(&workspace, widest(p) * (rows + cols)),
                        take_elements(&workspace, widest(p) * (rows + cols))};
    if (p->layers > 1)
        c = take_block(&workspace, rows, cols);
    out_of_core_keep(w->device, c, bottom_k(p) / p->layers, p->down);
    for (int step = 0; step < p->down; step++) {
        real *buffer = buffers[step % 2];
        long width = piece(bottom_k(p), p->layers * p->down, piece_in_step(p, at, step + 1));
        struct block next_a = take_block(&buffer, rows, width),
                     next_b = take_block(&buffer, width, cols);
        struct exchange x;
        exchange_begin(&x, w->comm, "shift");
        if (step + 1 < p->down) {
            exchange_send(&x, a, rank_at(p, at.i, at.j - 1, at.layer));
            exchange_send(&x, b, rank_at(p, at.i - 1, at.j, at.layer));
            exchange_receive(&x, next_a, rank_at(p, at.i, at.j + 1, at.layer));
            exchange_receive(&x, next_b, rank_at(p, at.i + 1, at.j, at.layer));
        }
        exchange_start(&x);
        multiply_here(w, (struct product){a, b, c, step > 0});
        exchange_end(&x);
        a = next_a, b = next_b;
    }
    out_of_core_give(w->device);
    if (p->layers > 1)
        add_layers(w, s, c);
}
/// [cannon]

/* q - 1 shifts bring what the rank does not begin with of its layer's part of k; then it gets
   its strip of C from each other layer and sends them theirs. */
static void traffic(const struct rank_plan *p, int rank, struct traffic *sent,
                    struct traffic *received)
{
    struct seat at = seat_of(p, rank);
    int pieces = p->layers * p->down, strips = p->down * p->layers,
        strip = at.i * p->layers + at.layer;
    double rows = (double)piece(bottom_m(p), p->down, at.i),
           cols = (double)piece(bottom_n(p), p->across, at.j);
    double mine = (double)piece(bottom_m(p), strips, strip);
    for (int step = 0; step < p->down; step++) {
        double width = (double)piece(bottom_k(p), pieces, piece_in_step(p, at, step));
        int messages = (width * rows > 0) + (width * cols > 0);
        if (step > 0)
            received->words += width * (rows + cols), received->messages += messages;
        if (step + 1 < p->down)
            sent->words += width * (rows + cols), sent->messages += messages;
    }
    received->words += (p->layers - 1) * mine * cols;
    received->messages += mine * cols > 0 ? p->layers - 1 : 0;
    for (int layer = 0; layer < p->layers; layer++) {
        double strip_words =
            (double)piece(bottom_m(p), strips, at.i * p->layers + layer) * cols;
        if (layer != at.layer)
            sent->words += strip_words, sent->messages += strip_words > 0;
    }
}

const struct bottom bottom_cannon = {prepare, shares, workspace, multiply, traffic};
