/**
 * @file rates.c
 * What a product and a message cost here, measured, and the time that follows for a variant.
 */
#include <math.h>

#include "common/device/timer.h"
#include "rank_trial.h"

/* What is large enough to be as fast as it gets: the edge of a product, and the words of a
 * message. */
static long large_edge(void) { return place_of_leaves->is_host ? 512 : 8192; }
static long large_message(void) { return place_of_leaves->is_host ? 1 << 18 : 1 << 26; }

/* Flops a millisecond of a product of this plan's size, on all ranks at a time. */
static double leaf_rate(struct rank_trial *t)
{
    struct block c = tile_of(&t->shares.c, 0), a = tile_of(&t->shares.a, 0),
                 b = tile_of(&t->shares.b, 0);
    long edge = large_edge(), m = smaller(edge, smaller(c.rows, a.rows)),
         n = smaller(edge, smaller(c.cols, b.cols));
    long k = smaller(edge, smaller(a.cols, b.rows));
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double begun = timer_now();
        if (m > 0 && n > 0 && k > 0)
            multiply_here(&t->world, product_on(part(a, 0, 0, m, k), part(b, 0, 0, k, n),
                                                part(c, 0, 0, m, n)));
        place_of_leaves->finish();
        best = fmin(best, timer_now() - begun);
    }
    double rate = m > 0 && n > 0 && k > 0
                      ? 2.0 * (double)m * (double)n * (double)k / fmax(best, 1e-6)
                      : INFINITY;
    return -comm_largest(t->comm, -rate);
}

/* Words a millisecond when all ranks send to their neighbour at a time. */
static double link_rate(struct rank_trial *t)
{
    struct comm *comm = t->comm;
    long words = smaller(large_message(),
                         smaller(share_elements(&t->shares.a), share_elements(&t->shares.c)));
    words = -(long)comm_largest(comm, -(double)words);
    double best = INFINITY;
    for (int i = 0; i < 3 && comm->ranks > 1 && words > 0; i++) {
        struct exchange x;
        comm_largest(comm, 0);
        double begun = timer_now();
        exchange_begin(&x, comm, "rate of the links");
        exchange_send(&x, (struct block){t->shares.a.at, 1, words, words},
                      (comm->rank + 1) % comm->ranks);
        exchange_receive(&x, (struct block){t->shares.c.at, 1, words, words},
                         (comm->rank + comm->ranks - 1) % comm->ranks);
        exchange_start(&x);
        exchange_end(&x);
        best = fmin(best, timer_now() - begun);
    }
    return -comm_largest(comm, -(double)words / fmax(best, 1e-6));
}

void rank_trial_predict(struct rank_trial *t, struct outcome_on_ranks *r)
{
    double rate = leaf_rate(t), link = link_rate(t), words = 0;
    for (int rank = 0; rank < t->plan.ranks; rank++) {
        struct traffic sent, received;
        plan_traffic(&t->plan, rank, &sent, &received);
        words = fmax(words, received.words);
    }
    r->leaf_gflops = rate / 1e6;
    r->link_gb = link * sizeof(real) / 1e6;
    r->predicted = plan_flops(&t->plan) / rate + (words > 0 ? words / link : 0);
}
