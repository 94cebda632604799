/**
 * @file device.c
 * A product out of core: tiles of A and B come from host memory while others are multiplied.
 */
#include "device.h"

#include <pthread.h>
#include <stdlib.h>

#include "place.h"

enum { SMALLEST = 32 };

/* A tile of A and one of B that are copied by a thread of their own. */
struct load {
    pthread_t thread;
    bool running, beside;        /* `beside`: as bring() takes it; set before the thread begins */
    struct block a, b;           /* where they go */
    struct block from_a, from_b; /* where they come from */
};

struct device {
    long side; /* of a tile */
    real *room;
    struct load load[2];
    double moved;
};

/* Two tiles of A, two of B and one of C. */
static double bytes_of(long side)
{
    return 5.0 * (double)side * (double)side * sizeof(real);
}

struct device *device_open(double bytes, double *need)
{
    struct device *d = calloc(1, sizeof *d);
    *need = bytes_of(SMALLEST);
    for (long side = SMALLEST; d && bytes_of(side) <= bytes && side <= 1 << 15; side += SMALLEST)
        d->side = side;
    if (d && d->side)
        d->room = place_of_leaves->allocate((size_t)bytes_of(d->side));
    if (d && d->room)
        return d;
    free(d);
    return NULL;
}

void device_close(struct device *d)
{
    if (d)
        place_of_leaves->release(d->room);
    free(d);
}

double device_bytes_moved(const struct device *d)
{
    return d->moved;
}

static void *copy_tiles(void *what)
{
    struct load *load = what;
    place_of_leaves->bring(load->a, load->from_a, load->beside);
    place_of_leaves->bring(load->b, load->from_b, load->beside);
    return NULL;
}

/* Without a thread to be had it copies at once: slower, and right. */
static void start_load(struct device *d, struct load *load)
{
    d->moved += (double)(load->a.rows * load->a.cols + load->b.rows * load->b.cols) * sizeof(real);
    load->beside = place_of_leaves->beside;
    load->running = load->beside && pthread_create(&load->thread, NULL, copy_tiles, load) == 0;
    if (load->running)
        return;
    load->beside = false;
    copy_tiles(load);
}

static void end_load(struct load *load)
{
    if (load->running)
        pthread_join(load->thread, NULL);
}

/* The loads of a product in order: for each tile of C all tiles of k. */
struct walk {
    struct product p;
    long side, across, down, deep; /* tiles of C's columns, of its rows, of k */
};

static void prepare_load(struct device *d, const struct walk *w, long number)
{
    struct load *load = &d->load[number % 2];
    long l = number % w->deep, j = number / w->deep % w->across, i = number / w->deep / w->across;
    long s = w->side, rows = smaller(s, w->p.c.rows - i * s), cols = smaller(s, w->p.c.cols - j * s);
    long inner = smaller(s, w->p.a.cols - l * s);
    real *room = d->room + (1 + 2 * (number % 2)) * s * s; /* C's tile comes first */
    load->from_a = part(w->p.a, i * s, l * s, rows, inner);
    load->from_b = part(w->p.b, l * s, j * s, inner, cols);
    load->a = (struct block){room, rows, inner, inner};
    load->b = (struct block){room + s * s, inner, cols, cols};
    start_load(d, load);
}

/// [out of core]
void device_multiply(struct device *d, const struct world *world, struct product p)
{
    long s = d->side;
    struct walk w = {p, s, pieces_of(p.c.cols, s), pieces_of(p.c.rows, s), pieces_of(p.a.cols, s)};
    long loads = w.across * w.down * w.deep;
    prepare_load(d, &w, 0);
    for (long number = 0; number < loads; number++) {
        struct load *now = &d->load[number % 2];
        long l = number % w.deep, tile = number / w.deep;
        struct block c = part(p.c, tile / w.across * s, tile % w.across * s, now->a.rows, now->b.cols);
        struct block here = {d->room, c.rows, c.cols, c.cols};
        end_load(now);
        if (number + 1 < loads)
            prepare_load(d, &w, number + 1); /* beside this multiplication */
        if (l == 0 && p.accumulate)
            place_of_leaves->bring(here, c, false);
        multiply_leaf(&world->leaf, (struct product){now->a, now->b, here, l > 0 || p.accumulate});
        if (l == w.deep - 1) {
            place_of_leaves->finish();
            place_of_leaves->fetch(c, here);
        }
        place_of_leaves->finish(); /* the next load but one goes where this one was */
        d->moved += l == w.deep - 1 ? (1.0 + p.accumulate) * (double)(c.rows * c.cols) * sizeof(real) : 0;
    }
}
/// [out of core]
