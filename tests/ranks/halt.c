/* SPDX-License-Identifier: MIT */
/** @file halt.c
 * For tests of step 22: one rank stops or hangs in a call of MPI while the others wait there
 * for it.
 *
 * HALT_RANK says which rank, HALT_IN in which call (init, split, free or finalize; after-split:
 * when the call has returned), HALT_BY how: stop, as kill -STOP does, or hang. MPI lets a
 * program put its own function in the place of each call, and calls by another name what was
 * there before.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *name, const char *value)
{
    const char *given = getenv(name);
    return given && strcmp(given, value) == 0;
}

static void halt_in(const char *call)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    if (!rank || !is("HALT_RANK", rank) || !is("HALT_IN", call))
        return;
    if (is("HALT_BY", "stop"))
        raise(SIGSTOP);
    else
        for (;;)
            pause();
}

int MPI_Init(int *argc, char ***argv)
{
    halt_in("init");
    return PMPI_Init(argc, argv);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    halt_in("split");
    int status = PMPI_Comm_split(comm, color, key, made);
    halt_in("after-split");
    return status;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    halt_in("free");
    return PMPI_Comm_free(comm);
}

int MPI_Finalize(void)
{
    halt_in("finalize");
    return PMPI_Finalize();
}
