/**
 * @file comm_alone.c
 * One rank, where MPI is not installed. There is nobody to send to.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"

static void nothing(struct exchange *x)
{
    (void)x;
}

static void to_nobody(struct exchange *x, struct block block, int other)
{
    (void)block, (void)other;
    comm_abort(x->comm, "a message for another rank, and there is one only");
}

static void in_nobody(struct exchange *x, const struct group *group, struct block block, int root)
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

static void close_group(struct comm *comm, struct group *group)
{
    (void)comm, (void)group;
}

static const struct engine alone = {"alone",   nothing, to_nobody,  to_nobody,  in_nobody,
                                    in_nobody, waits_for, nothing, open_group, close_group};

void comm_open(struct comm *comm, double limit)
{
    *comm = (struct comm){.ranks = 1, .limit = limit, .engine = &alone};
    comm_meet(comm);
}

void comm_close(struct comm *comm)
{
    free(comm->peers);
    free(comm->log);
}

/* Open MPI, and those that start processes by PMI, name their number of ranks. */
bool comm_is_started(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE");
}

const char *comm_library(void)
{
    return NULL;
}

void comm_all(struct comm *comm, const double *mine, int count, double *all)
{
    (void)comm;
    memmove(all, mine, (size_t)count * sizeof *all);
}

void comm_end_all(struct comm *comm, int status)
{
    (void)comm;
    _exit(status);
}
