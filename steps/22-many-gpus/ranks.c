/* SPDX-License-Identifier: MIT */
/** @file ranks.c
 * The beginning and the end of a run of all ranks.
 */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/host.h"
#include "place.h"

int ranks_here(const struct comm *comm)
{
    int count = 0;
    for (int r = 0; r < comm->ranks; r++)
        count += comm->peers[r].host == comm->peers[comm->rank].host;
    return count;
}

/* Which of this host's ranks this one is. */
static int number_here(const struct comm *comm)
{
    int number = 0;
    for (int r = 0; r < comm->rank; r++)
        number += comm->peers[r].host == comm->peers[comm->rank].host;
    return number;
}

static const char *leaf_missing(const struct options *o)
{
    const struct variant *leaf =
        o->leaf ? find_variant(o->step->leaves, o->leaf) : o->step->leaves;
    return leaf->missing ? leaf->missing() : NULL;
}

/* All ranks must have been asked for the same product. */
static void compare_sizes(const struct options *o, struct comm *comm)
{
    double mine[5] = {(double)o->m, (double)o->n, (double)o->k, (double)o->seed,
                      (double)o->levels};
    double *all = comm_gather(comm, mine, 5);
    for (int r = 0; r < comm->ranks; r++)
        if (memcmp(all + 5 * r, mine, sizeof mine) != 0)
            comm_abort(
                comm,
                "this rank was asked for m, n, k = %ld, %ld, %ld, rank %d for %.0f, %.0f, %.0f "
                "(or another seed or other levels): give all ranks the same options",
                o->m, o->n, o->k, r, all[5 * r], all[5 * r + 1], all[5 * r + 2]);
    free(all);
}

/* Lets go of everything. The exit status: `status`, but wrong where a simulated GPU has found a
 * fault. */
static int end_rank(struct comm *comm, int status)
{
#ifdef LADDER_NCCL
    if (!comm->place->is_host)
        comm_leave_nccl(comm);
#endif
    place_close();
    comm_largest(comm, 0); /* all ranks have freed what they had */
    bool faults = comm_largest(comm, place_faults()) > 0;
    comm_close(comm);
    return faults && status == EXIT_RIGHT ? EXIT_WRONG : status;
}

/* What is done on each rank. */
struct work {
    const struct options *o;
    int (*run)(const struct options *options, struct comm *comm);
};

static int run_rank(struct comm *comm, void *what)
{
    const struct work *work = what;
    const struct options *o = work->o;
    host_limit_threads(); /* which holds for the thread that calls it */
    if (comm->ranks > MOST_RANKS)
        comm_abort(comm, "this program takes 1 to %d ranks, not %d", MOST_RANKS, comm->ranks);
    if (o->settings[SET_RANKS] > 1 && comm->ranks != o->settings[SET_RANKS])
        comm_abort(comm, "--ranks says %ld ranks, but mpirun started %d",
                   o->settings[SET_RANKS], comm->ranks);
    const char *place = place_open(number_here(comm), ranks_here(comm));
    if (place)
        comm_abort(comm, "%s", place);
    compare_sizes(o, comm);
    return end_rank(comm, work->run(o, comm));
}

/* How many threads of this process are to be ranks; 1: it is one rank, or starts processes.
   GPUs are counted in any case: that loads their driver, and what the driver does at an exit()
   then comes behind what comm_enter() does. */
static int threads_asked(const struct options *o)
{
    long asked = o->settings[SET_RANKS];
    int here = place_ranks();
    return asked ? (int)asked : here;
}

/* Leaves look up this computer at their first call, which several threads must not do at a
 * time. */
static void look_up(const struct options *o)
{
    struct context x = {.threads = (int)o->threads, .leaf = o->step->leaves};
    if (o->leaf)
        x.leaf = find_variant(o->step->leaves, o->leaf);
    leaf_workspace(&x, product_of_size(1, 1, 1));
}

int ranks_run(const struct options *o,
              int (*run)(const struct options *options, struct comm *comm))
{
    struct work work = {o, run};
    struct comm comm;
    const char *missing = leaf_missing(o);
    if (missing) {
        fprintf(stderr, "--leaf %s: %s\n", o->leaf ? o->leaf : o->step->leaves->name, missing);
        return EXIT_RESOURCE;
    }
    int status = launch_ranks(o);
    if (status < 0)
        status = keep_rank(o);
    if (status >= 0)
        return status;
    if (comm_is_started()) {
        comm_open(&comm, (double)o->settings[SET_LIMIT]);
        return run_rank(&comm, &work);
    }
    look_up(o);
    return comm_run_threads(threads_asked(o), (double)o->settings[SET_LIMIT], run_rank, &work);
}

void ranks_move_to(struct comm *comm, const struct place *place)
{
    comm->place = place;
#ifdef LADDER_NCCL
    comm_use_nccl(comm);
#else
    if (comm->rank == 0 && comm->ranks > 1)
        fprintf(stderr,
                "NCCL was not there when this was built (Debian, Ubuntu: libnccl-dev, from "
                "NVIDIA's repository): messages go through host memory, and are slower\n");
#endif
}
