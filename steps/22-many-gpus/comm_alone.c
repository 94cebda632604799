/**
 * @file comm_alone.c
 * One rank: there is nobody to send to.
 */
#include <stdlib.h>
#include <string.h>

#include "comm.h"

static void nothing(struct exchange *x) { (void)x; }

static void to_nobody(struct exchange *x, struct block block, int other)
{
    (void)block, (void)other;
    comm_abort(x->comm, "a message for another rank, and there is one only");
}

static void in_nobody(struct exchange *x, const struct group *group, struct block block,
                      int root)
{
    (void)group;
    to_nobody(x, block, root);
}

static int waits_for(struct exchange *x)
{
    (void)x;
    return -1;
}

static void open_group(struct comm *comm, struct group *group, int color)
{
    (void)comm, (void)group, (void)color;
}

static void close_group(struct comm *comm, struct group *group) { (void)comm, (void)group; }

static void all_are_mine(struct comm *comm, const double *mine, int count, double *all)
{
    (void)comm;
    memmove(all, mine, (size_t)count * sizeof *all);
}

static const struct engine alone = {"alone",   nothing,    to_nobody,   to_nobody,
                                    in_nobody, in_nobody,  nothing,     waits_for,
                                    nothing,   open_group, close_group, all_are_mine};

void comm_open_alone(struct comm *comm, double limit)
{
    *comm = (struct comm){.ranks = 1, .limit = limit, .engine = &alone, .place = &place_host};
    comm_enter(comm);
    comm_meet(comm);
}

void comm_close_alone(struct comm *comm)
{
    comm_leave();
    free(comm->peers);
    free(comm->log);
}

/* Open MPI, and those that start processes by PMI or PMIx, leave their mark. */
bool comm_is_started(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

static int first_number(const char *one, const char *another, const char *third)
{
    const char *value = getenv(one);
    value = value ? value : getenv(another);
    value = value ? value : getenv(third);
    return value ? atoi(value) : 0;
}

void comm_started_as(int *rank, int *ranks)
{
    *rank = first_number("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK");
    *ranks = first_number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS");
}
