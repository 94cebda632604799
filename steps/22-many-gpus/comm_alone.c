/* SPDX-License-Identifier: MIT */
/** @file comm_alone.c
 * One rank: there is nobody to send to.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"

/* Nothing is on its way. */
static int waits_for(struct exchange *x)
{
    (void)x;
    return -1;
}

static void all_are_mine(struct comm *comm, const double *mine, int count, double *all)
{
    (void)comm;
    memmove(all, mine, (size_t)count * sizeof *all);
}

static const struct engine alone = {
    .name = "alone", .waits_for = waits_for, .all = all_are_mine};

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

/* ---- Without MPI. Where it is installed, comm_mpi.c has functions that replace these. ---- */

#define REPLACED_BY_MPI __attribute__((weak))

REPLACED_BY_MPI void comm_open(struct comm *comm, double limit)
{
    comm_open_alone(comm, limit);
}

REPLACED_BY_MPI void comm_close(struct comm *comm) { comm_close_alone(comm); }

REPLACED_BY_MPI const char *comm_library(void) { return NULL; }

REPLACED_BY_MPI void comm_end_all(struct comm *comm, int status)
{
    (void)comm;
    _exit(status);
}
