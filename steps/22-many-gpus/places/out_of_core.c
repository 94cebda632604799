/* SPDX-License-Identifier: MIT */
/** @file out_of_core.c
 * A product out of core: tiles of A and B are copied from host memory while others are
 * multiplied. Tiles of C are copied in and out with each product; or all of C stays on the
 * device while a row of products adds to it.
 */
#include "out_of_core.h"

#include <pthread.h>
#include <stdlib.h>

#include "place.h"

enum { SMALLEST = 32 };

/* A tile of A and one of B that a separate thread copies. */
struct load {
    pthread_t thread;
    bool running, beside;        /* `beside`: for bring(); set before the thread begins */
    struct block a, b;           /* where they go */
    struct block from_a, from_b; /* where they come from */
};

struct out_of_core {
    long elements;  /* of its memory */
    long most_side; /* the longest side of a tile if five fit: C's tiles come and go, too */
    long side;      /* the side of a tile now */
    real *memory;   /* C's tile, or all of C; then two tiles of A and two of B */
    real *tiles;    /* the tiles of A and B */
    struct load load[2];
    struct block kept, home; /* C on the device, and its place in host memory; kept.at is NULL
                                while tiles come and go */
    bool is_written;         /* a product has been added to the kept one */
    struct copied_words words;
};

/* Two tiles of A, two of B and one of C. */
static double bytes_of(long side) { return 5.0 * (double)side * (double)side * sizeof(real); }

struct out_of_core *out_of_core_open(double bytes, double *need)
{
    struct out_of_core *d = calloc(1, sizeof *d);
    *need = bytes_of(SMALLEST);
    for (long side = SMALLEST; d && bytes_of(side) <= bytes && side <= 1 << 15;
         side += SMALLEST)
        d->side = side;
    if (d && d->side)
        d->memory = place_of_leaves->allocate((size_t)bytes);
    if (d && d->memory) {
        d->elements = (long)(bytes / sizeof(real));
        d->most_side = d->side;
        d->tiles = d->memory + d->side * d->side;
        return d;
    }
    free(d);
    return NULL;
}

void out_of_core_close(struct out_of_core *d)
{
    if (d)
        place_of_leaves->release(d->memory);
    free(d);
}

void out_of_core_forget(struct out_of_core *d)
{
    if (d)
        d->words = (struct copied_words){0, 0};
}

struct copied_words copied_words(const struct out_of_core *d)
{
    return d ? d->words : (struct copied_words){0, 0};
}

static void bring_c(struct out_of_core *d, struct block here, struct block home)
{
    place_of_leaves->bring(here, home, false);
    d->words.there += (double)home.rows * (double)home.cols;
}

static void fetch_c(struct out_of_core *d, struct block home, struct block here)
{
    place_of_leaves->fetch(home, here);
    d->words.back += (double)home.rows * (double)home.cols;
}

/* ---- C that stays ---- */

/// [keep]
/* Words of A and B copied to the device for all of C: each column of tiles copies A once, each
 * row of tiles B. */
static double words_of_factors(struct block C, long k, long side)
{
    return (double)k *
           (double)(C.rows * pieces_of(C.cols, side) + C.cols * pieces_of(C.rows, side));
}

void out_of_core_keep(struct out_of_core *d, struct block C, long k, long products)
{
    const long apart = 64; /* elements, so that tiles begin at aligned addresses */
    long here = round_up(C.rows * C.cols, apart), side = 0;
    if (!d || C.rows * C.cols == 0)
        return;
    while (here + 4 * (side + SMALLEST) * (side + SMALLEST) <= d->elements &&
           side < d->most_side)
        side += SMALLEST;
    double all_of_c = (double)C.rows * (double)C.cols;
    if (side == 0 ||
        words_of_factors(C, k, side) + all_of_c >=
            words_of_factors(C, k, d->most_side) + (double)(2 * products - 1) * all_of_c)
        return; /* C does not fit, or leaves room only for tiles that move more words */
    d->side = side;
    d->tiles = d->memory + here;
    d->kept = (struct block){d->memory, C.rows, C.cols, C.cols};
    d->home = C;
    d->is_written = false;
}

void out_of_core_give(struct out_of_core *d)
{
    if (!d || !d->kept.at)
        return;
    place_of_leaves->finish();
    if (d->is_written)
        fetch_c(d, d->home, d->kept);
    d->kept.at = NULL;
    d->side = d->most_side;
    d->tiles = d->memory + d->side * d->side;
}
/// [keep]

static void *copy_tiles(void *what)
{
    struct load *load = what;
    place_of_leaves->bring(load->a, load->from_a, load->beside);
    place_of_leaves->bring(load->b, load->from_b, load->beside);
    return NULL;
}

/* If no thread can be started it copies at once: slower, but right. */
static void start_load(struct out_of_core *d, struct load *load)
{
    d->words.there += (double)(load->a.rows * load->a.cols + load->b.rows * load->b.cols);
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
struct tile_loads {
    struct product p;
    long side, across, down, deep; /* tiles of C's columns, of its rows, of k */
};

static void prepare_load(struct out_of_core *d, const struct tile_loads *w, long number)
{
    struct load *load = &d->load[number % 2];
    long l = number % w->deep, j = number / w->deep % w->across,
         i = number / w->deep / w->across;
    long s = w->side, rows = smaller(s, w->p.c.rows - i * s),
         cols = smaller(s, w->p.c.cols - j * s);
    long inner = smaller(s, w->p.a.cols - l * s);
    real *buffer = d->tiles + 2 * (number % 2) * s * s;
    load->from_a = part(w->p.a, i * s, l * s, rows, inner);
    load->from_b = part(w->p.b, l * s, j * s, inner, cols);
    load->a = (struct block){buffer, rows, inner, inner};
    load->b = (struct block){buffer + s * s, inner, cols, cols};
    start_load(d, load);
}

void out_of_core_multiply(struct out_of_core *d, const struct context *ctx, struct product p)
{
    long s = d->side;
    struct tile_loads w = {p, s, pieces_of(p.c.cols, s), pieces_of(p.c.rows, s),
                           pieces_of(p.a.cols, s)};
    long loads = w.across * w.down * w.deep;
    bool stays = d->kept.at, adds = stays ? d->is_written : p.accumulate;
    prepare_load(d, &w, 0);
    for (long number = 0; number < loads; number++) {
        struct load *now = &d->load[number % 2];
        long l = number % w.deep, tile = number / w.deep, i = tile / w.across * s,
             j = tile % w.across * s;
        struct block C = part(p.c, i, j, now->a.rows, now->b.cols);
        struct block here = stays ? part(d->kept, i, j, C.rows, C.cols)
                                  : (struct block){d->memory, C.rows, C.cols, C.cols};
        end_load(now);
        if (number + 1 < loads)
            prepare_load(d, &w, number + 1); /* copies during this multiplication */
        if (l == 0 && adds && !stays)
            bring_c(d, here, C);
        multiply_leaf(ctx, (struct product){now->a, now->b, here, l > 0 || adds});
        place_of_leaves->finish(); /* the next load but one overwrites this one */
        if (l == w.deep - 1 && !stays)
            fetch_c(d, C, here);
    }
    d->is_written = true;
}
