/**
 * @file rank_trial.c
 * A variant on this rank: its matrices and workspace, made and run.
 */
#include "rank_trial.h"

#include "common/matrix/matrix.h"
#include "common/device/timer.h"
#include "device.h"

/* Ranks side by side, above each other and behind each other in the grid; Cannon's rows and
   columns need no group. */
static void open_groups(struct rank_trial *t)
{
    const struct plan *p = &t->plan;
    int me = t->comm->rank, *row = t->members, *column = row + MOST_RANKS,
        *behind = column + MOST_RANKS;
    int layer_ranks = p->down * p->across, in_layer = me % layer_ranks,
        layer = me / layer_ranks;
    int i = in_layer / p->across, j = in_layer % p->across;
    for (int x = 0; x < p->across; x++)
        row[x] = layer * layer_ranks + i * p->across + x;
    for (int x = 0; x < p->down; x++)
        column[x] = layer * layer_ranks + x * p->across + j;
    for (int x = 0; x < p->layers; x++)
        behind[x] = x * layer_ranks + in_layer;
    group_open(t->comm, &t->world.row, row, p->across, row[0]);
    group_open(t->comm, &t->world.column, column, p->down, column[0]);
    group_open(t->comm, &t->world.layers, behind, p->layers, behind[0]);
}

void rank_trial_open(struct rank_trial *t, const struct options *o, struct comm *comm,
                     const struct plan *plan, struct device *device)
{
    *t = (struct rank_trial){.o = o, .comm = comm, .plan = *plan};
    const struct variant *leaf =
        find_variant(o->step->leaves, o->leaf ? o->leaf : o->step->leaves->name);
    struct problem largest = {.m = bottom_m(plan), .n = bottom_n(plan), .k = bottom_k(plan)};
    largest.threads = (int)o->threads;
    t->shares = plan_shares(plan, comm->rank);
    t->a = room_open(comm, comm->place, (size_t)share_elements(&t->shares.a));
    t->b = room_open(comm, comm->place, (size_t)share_elements(&t->shares.b));
    t->c = room_open(comm, comm->place, (size_t)share_elements(&t->shares.c));
    t->work = room_open(comm, comm->place, plan_workspace(plan, comm->rank));
    t->leaf = room_open(comm, place_of_leaves, leaf->workspace ? leaf->workspace(&largest) : 0);
    t->shares.a.at = t->a.at, t->shares.b.at = t->b.at, t->shares.c.at = t->c.at;
    t->world = (struct world){.comm = comm, .plan = &t->plan, .device = device};
    t->world.leaf = (struct context){leaf, t->leaf.at, (int)o->threads, 0, NULL};
    open_groups(t);
}

void rank_trial_close(struct rank_trial *t)
{
    group_close(t->comm, &t->world.row);
    group_close(t->comm, &t->world.column);
    group_close(t->comm, &t->world.layers);
    struct room *rooms[] = {&t->a, &t->b, &t->c, &t->work, &t->leaf};
    for (int i = 0; i < 5; i++)
        room_close(rooms[i]);
}

enum bound_kind plan_kind(const struct plan *p)
{
    return p->above + p->dealt ? BOUND_STRASSEN : BOUND_CLASSICAL;
}

static void fill_share(const struct place *place, const struct share *x,
                       const struct source *operand)
{
    for (long b = 0; b < 1L << 2 * x->layout.levels; b++) {
        long row, col;
        tile_origin(x, b, &row, &col);
        place->fill(tile_of(x, b), operand, row, col);
    }
}

void rank_trial_fill(struct rank_trial *t, enum input input)
{
    const struct options *o = t->o;
    int levels = t->plan.above + t->plan.dealt;
    int magnitude = integer_magnitude(plan_kind(&t->plan), levels, o->k, precision_here);
    uint64_t seed = (uint64_t)o->seed;
    t->judged = (struct judged_product){o->m,
                                        o->n,
                                        o->k,
                                        {input, OPERAND_A, seed, magnitude, o->m, o->k},
                                        {input, OPERAND_B, seed, magnitude, o->k, o->n},
                                        0};
    if (input != INPUT_INTEGERS) {
        double largest = input == INPUT_SCALED ? 1024 : 1;
        t->judged.bound = bound_factor(plan_kind(&t->plan), levels, o->k) *
                          precision_roundoff(precision_here) * largest * largest;
    }
    fill_share(t->comm->place, &t->shares.a, &t->judged.a);
    fill_share(t->comm->place, &t->shares.b, &t->judged.b);
    t->comm->place->finish();
}

double rank_trial_run(struct rank_trial *t)
{
    room_poison(&t->c);
    room_poison(&t->work);
    comm_largest(t->comm, 0);
    comm_forget(t->comm);
    device_forget(t->world.device);
    double begun = timer_now();
    plan_multiply(&t->world, &t->shares, t->work.at);
    return comm_largest(t->comm, timer_now() - begun);
}
