/* SPDX-License-Identifier: MIT */
/** @file summa.c
 * SUMMA (van de Geijn and Watts 1997): the classical product on a grid of ranks. Every rank
 * keeps its tile of C. For each panel of k in turn, the ranks that own it broadcast their part
 * of A along their row of the grid, and their part of B along their column.
 */
#include "steps/22-many-gpus/ranks/rank.h"

/** Inner indices [from, to), and the column and the row of the grid that own them in A and in
 * B. */
struct panel {
    long from, to;
    int column, row;
};

/* The panel of k that begins at `from`: one of p->panels of k, but no narrower than 64, and
   with a single owner in A and in B. A single rank has nothing to wait for, and takes all
   of k. */
struct panel summa_panel(const struct rank_plan *p, long from)
{
    long k = bottom_sides(p).k;
    long width = p->ranks == 1 ? k : larger(LEAST_PANEL, pieces_of(k, p->panels));
    struct panel panel = {from, smaller(k, from + width), 0, 0};
    while (cut(k, p->across, panel.column + 1) <= from)
        panel.column++;
    while (cut(k, p->down, panel.row + 1) <= from)
        panel.row++;
    panel.to = smaller(
        panel.to, smaller(cut(k, p->across, panel.column + 1), cut(k, p->down, panel.row + 1)));
    return panel;
}

static void prepare(struct rank_plan *p)
{
    if (p->down)
        return; /* the user asked for this grid */
    double best = -1;
    for (int down = 1; down <= p->ranks; down++) {
        int across = p->ranks / down;
        if (down * across != p->ranks)
            continue;
        double words = (double)p->m * p->k / down * (1 - 1.0 / across) +
                       (double)p->k * p->n / across * (1 - 1.0 / down);
        /* Of two equal grids the one with more rows of ranks: its panels of B have no gaps. */
        if (best < 0 || words <= best)
            best = words, p->down = down, p->across = across;
    }
}

static struct shares shares(const struct rank_plan *p, int rank)
{
    int i = rank / p->across, j = rank % p->across;
    return (struct shares){{p->m, p->k, p->above, p->down, p->across, i, j},
                           {p->k, p->n, p->above, p->down, p->across, i, j},
                           {p->m, p->n, p->above, p->down, p->across, i, j}};
}

/* How many panels there are, and how wide the widest is. */
struct panels {
    long count, widest;
};

static struct panels panels_of(const struct rank_plan *p)
{
    struct panels all = {0, 0};
    struct panel panel;
    for (long from = 0; from < bottom_sides(p).k; from = panel.to) {
        panel = summa_panel(p, from);
        all.count++;
        all.widest = larger(all.widest, panel.to - panel.from);
    }
    return all;
}

long summa_widest(const struct rank_plan *p) { return panels_of(p).widest; }

struct product summa_leaf_product(const struct rank_plan *p, int rank)
{
    struct product x =
        product_of_size(piece(bottom_sides(p).m, p->down, rank / p->across),
                        piece(bottom_sides(p).n, p->across, rank % p->across), summa_widest(p));
    x.accumulate = x.a.cols < bottom_sides(p).k;
    return x;
}

/* The elements of a panel as wide as the widest; none if the rank owns the whole row or column,
 * for then nothing arrives. */
static size_t panel_elements(const struct rank_plan *p, long rows, long cols)
{
    return (size_t)(panels_of(p).widest *
                    ((p->across > 1 ? rows : 0) + (p->down > 1 ? cols : 0)));
}

/* Two panels: one is multiplied while the next one arrives. */
static size_t workspace(const struct rank_plan *p, int rank)
{
    return 2 * panel_elements(p, piece(bottom_sides(p).m, p->down, rank / p->across),
                              piece(bottom_sides(p).n, p->across, rank % p->across));
}

/* A panel on its way: a rank does not copy the part that it owns. */
struct moving {
    struct exchange x;
    struct block a, b;
};

/// [summa]
static void start(const struct rank *r, struct product p, struct panel panel, real *buffer,
                  struct moving *m)
{
    const struct rank_plan *plan = &r->plan;
    long width = panel.to - panel.from, k = bottom_sides(plan).k;
    m->a = r->row.mine == panel.column
               ? part(p.a, 0, panel.from - cut(k, plan->across, panel.column), p.a.rows, width)
               : take_block(&buffer, p.a.rows, width);
    m->b = r->column.mine == panel.row
               ? part(p.b, panel.from - cut(k, plan->down, panel.row), 0, width, p.b.cols)
               : take_block(&buffer, width, p.b.cols);
    exchange_begin(&m->x, r->comm, "panel");
    exchange_broadcast(&m->x, &r->row, m->a, panel.column);
    exchange_broadcast(&m->x, &r->column, m->b, panel.row);
    exchange_start(&m->x);
}

void multiply_summa(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)levels; /* other variants need more */
    const struct rank *r = ctx->rank;
    long k = bottom_sides(&r->plan).k, last = r->plan.broken ? k - 1 : k;
    size_t half = panel_elements(&r->plan, p.a.rows, p.b.cols);
    struct panel panel = summa_panel(&r->plan, 0), next;
    struct moving moving[2];
    start(r, p, panel, workspace, &moving[0]);
    for (int turn = 0; panel.from < k; turn = !turn, panel = next) {
        next = (struct panel){panel.to, 0, 0, 0};
        exchange_end(&moving[turn].x);
        if (next.from < k) {
            next = summa_panel(&r->plan, next.from);
            start(r, p, next, workspace + (turn ? 0 : half), &moving[!turn]);
        }
        if (panel.to <= last)
            multiply_here(
                ctx, (struct product){moving[turn].a, moving[turn].b, p.c, panel.from > 0});
    }
}
/// [summa]

/* A rank receives the others' parts of its rows of A and of its columns of B, and sends its own
   part to each of the others in its row and its column. */
static struct moved traffic(const struct rank_plan *p, int rank)
{
    int i = rank / p->across, j = rank % p->across;
    struct sides s = bottom_sides(p);
    double k = (double)s.k, rows = (double)piece(s.m, p->down, i),
           cols = (double)piece(s.n, p->across, j);
    double own_a = (double)piece(s.k, p->across, j), own_b = (double)piece(s.k, p->down, i);
    struct moved moved = {.sent.words =
                              rows * own_a * (p->across - 1) + own_b * cols * (p->down - 1),
                          .received.words = rows * (k - own_a) + (k - own_b) * cols};
    struct panel panel;
    for (long from = 0; from < s.k; from = panel.to) {
        panel = summa_panel(p, from);
        if (rows > 0 && p->across > 1)
            *(panel.column == j ? &moved.sent.messages : &moved.received.messages) +=
                panel.column == j ? p->across - 1 : 1;
        if (cols > 0 && p->down > 1)
            *(panel.row == i ? &moved.sent.messages : &moved.received.messages) +=
                panel.row == i ? p->down - 1 : 1;
    }
    return moved;
}

const struct bottom bottom_summa = {prepare, shares, workspace, multiply_summa, traffic};
