/* SPDX-License-Identifier: MIT */
/** @file summa.c
 * SUMMA (van de Geijn and Watts 1997): the classical product on a grid of ranks. Every rank
 * keeps its tile of C. For one panel of k after another, those who have it broadcast their part
 * of A along their row of the grid and their part of B along their column.
 */
#include "out_of_core.h"
#include "place.h"
#include "rank_plan.h"

/** Inner indices [from, to), and the column and the row of the grid that own them in A and in
 * B. */
struct panel {
    long from, to;
    int column, row;
};

/// [panel]
/* The panel of k that begins at `from`: one of p->panels of k, but no narrower than 64, and
   from one owner only on both sides. One rank alone has nothing to wait for, and takes k at
   once. */
struct panel summa_panel(const struct rank_plan *p, long from)
{
    enum { LEAST = 64 };
    long k = bottom_k(p), width = p->ranks == 1 ? k : larger(LEAST, pieces_of(k, p->panels));
    struct panel panel = {from, smaller(k, from + width), 0, 0};
    while (cut(k, p->across, panel.column + 1) <= from)
        panel.column++;
    while (cut(k, p->down, panel.row + 1) <= from)
        panel.row++;
    panel.to = smaller(
        panel.to, smaller(cut(k, p->across, panel.column + 1), cut(k, p->down, panel.row + 1)));
    return panel;
}
/// [panel]

static const char *prepare(struct rank_plan *p)
{
    if (p->down)
        return NULL; /* the grid was asked for */
    double best = -1;
    for (int down = 1; down <= p->ranks; down++) {
        int across = p->ranks / down;
        if (down * across != p->ranks)
            continue;
        double words = (double)p->m * p->k / down * (1 - 1.0 / across) +
                       (double)p->k * p->n / across * (1 - 1.0 / down);
        /* of two, more rows of ranks: panels of B have no gaps */
        if (best < 0 || words <= best)
            best = words, p->down = down, p->across = across;
    }
    return NULL;
}

static struct shares shares(const struct rank_plan *p, int rank)
{
    int i = rank / p->across, j = rank % p->across;
    return (struct shares){{{p->m, p->k, p->above, p->down, p->across}, i, j, NULL},
                           {{p->k, p->n, p->above, p->down, p->across}, i, j, NULL},
                           {{p->m, p->n, p->above, p->down, p->across}, i, j, NULL}};
}

static long widest_panel(const struct rank_plan *p)
{
    long widest = 0;
    struct panel panel;
    for (long from = 0; from < bottom_k(p); from = panel.to) {
        panel = summa_panel(p, from);
        widest = larger(widest, panel.to - panel.from);
    }
    return widest;
}

static long panels_of(const struct rank_plan *p)
{
    long panels = 0;
    for (long from = 0; from < bottom_k(p); from = summa_panel(p, from).to)
        panels++;
    return panels;
}

/* The elements of a panel as wide as the widest. What only one rank of a row or a column has
 * does not arrive. */
static size_t panel_elements(const struct rank_plan *p, long rows, long cols)
{
    return (size_t)(widest_panel(p) * ((p->across > 1 ? rows : 0) + (p->down > 1 ? cols : 0)));
}

/* Two panels: one is multiplied while the next one arrives. */
static size_t workspace(const struct rank_plan *p, int rank)
{
    long rows = piece(bottom_m(p), p->down, rank / p->across);
    long cols = piece(bottom_n(p), p->across, rank % p->across);
    return 2 * panel_elements(p, rows, cols);
}

/* A panel on its way: what this rank owns of it is not copied. */
struct moving {
    struct exchange x;
    struct block a, b;
};

/// [summa]
static void start(const struct world *w, const struct shares *s, struct panel panel,
                  real *buffer, struct moving *moving)
{
    const struct rank_plan *p = w->plan;
    struct block a = tile_of(&s->a, 0), b = tile_of(&s->b, 0);
    long width = panel.to - panel.from, k = bottom_k(p);
    moving->a = s->a.j == panel.column
                    ? part(a, 0, panel.from - cut(k, p->across, panel.column), a.rows, width)
                    : take_block(&buffer, a.rows, width);
    moving->b = s->b.i == panel.row
                    ? part(b, panel.from - cut(k, p->down, panel.row), 0, width, b.cols)
                    : take_block(&buffer, width, b.cols);
    exchange_begin(&moving->x, w->comm, "panel");
    exchange_broadcast(&moving->x, &w->row, moving->a, panel.column);
    exchange_broadcast(&moving->x, &w->column, moving->b, panel.row);
    exchange_start(&moving->x);
}

static void multiply(const struct world *w, const struct shares *s, real *workspace)
{
    long k = bottom_k(w->plan), last = w->plan->broken ? k - 1 : k;
    size_t half = panel_elements(w->plan, tile_rows(&s->a), tile_cols(&s->b));
    struct panel panel = summa_panel(w->plan, 0);
    struct moving moving[2];
    out_of_core_keep(w->device, tile_of(&s->c, 0), k, panels_of(w->plan));
    start(w, s, panel, workspace, &moving[0]);
    for (int turn = 0; panel.from < k; turn = !turn) {
        struct panel next = {panel.to, 0, 0, 0};
        exchange_end(&moving[turn].x);
        if (next.from < k) {
            next = summa_panel(w->plan, next.from);
            start(w, s, next, workspace + (turn ? 0 : half), &moving[!turn]);
        }
        if (panel.to <= last)
            multiply_here(w, (struct product){moving[turn].a, moving[turn].b, tile_of(&s->c, 0),
                                              panel.from > 0});
        panel = next;
    }
    out_of_core_give(w->device);
}
/// [summa]

/// [traffic]
/* A rank receives what others own of its rows of A and of its columns of B, and sends what it
   owns of them to each of the others in its row and its column. */
static void traffic(const struct rank_plan *p, int rank, struct traffic *sent,
                    struct traffic *received)
{
    int i = rank / p->across, j = rank % p->across;
    double k = (double)bottom_k(p);
    double rows = (double)piece(bottom_m(p), p->down, i),
           cols = (double)piece(bottom_n(p), p->across, j);
    double own_a = (double)piece(bottom_k(p), p->across, j),
           own_b = (double)piece(bottom_k(p), p->down, i);
    received->words = rows * (k - own_a) + (k - own_b) * cols;
    sent->words = rows * own_a * (p->across - 1) + own_b * cols * (p->down - 1);
    struct panel panel;
    for (long from = 0; from < bottom_k(p); from = panel.to) {
        panel = summa_panel(p, from);
        if (rows > 0 && p->across > 1)
            *(panel.column == j ? &sent->messages : &received->messages) +=
                panel.column == j ? p->across - 1 : 1;
        if (cols > 0 && p->down > 1)
            *(panel.row == i ? &sent->messages : &received->messages) +=
                panel.row == i ? p->down - 1 : 1;
    }
}
/// [traffic]

const struct bottom bottom_summa = {prepare, shares, workspace, multiply, traffic};
