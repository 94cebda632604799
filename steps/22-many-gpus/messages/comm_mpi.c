/* SPDX-License-Identifier: MIT */
/** @file comm_mpi.c
 * Moves blocks by MPI. Those in a GPU's memory go through copies in host memory.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"

enum { TAG = 22 };

static MPI_Datatype mpi_real(void) { return sizeof(real) == 4 ? MPI_FLOAT : MPI_DOUBLE; }

/* A piece of host memory through which a GPU's messages go. Pinning takes longer than most
   messages, so a piece is kept for the next ones. */
struct staged {
    struct staged *next;
    real *at;
    size_t elements;
    bool used;
};

struct mpi_transfer {
    struct transfer t;
    MPI_Request request;
    struct staged *copy; /* of a block outside host memory; NULL: it is in host memory */
};

/* Checks every call: if MPI fails, the run ends with our status and not with MPI's. */
static void check(struct comm *comm, int status, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (status == MPI_SUCCESS)
        return;
    MPI_Error_string(status, text, &length);
    comm_abort(comm, "%s: %s. What another rank said last may be above", what, text);
}

/* ---- Copies in host memory ---- */

/* Takes the smallest free piece that is large enough, or a new one. */
static struct staged *take_staged(struct comm *comm, size_t elements)
{
    struct staged *found = NULL;
    for (struct staged *s = comm->own; s; s = s->next)
        if (!s->used && s->elements >= elements && (!found || s->elements < found->elements))
            found = s;
    if (!found) {
        found = comm_allocate(comm, sizeof *found, "a message");
        *found = (struct staged){comm->own, place_allocate_outside(elements * sizeof(real)),
                                 elements, true};
        if (!found->at)
            comm_abort(comm, "no host memory for a message of %zu elements", elements);
        comm->own = found;
    }
    found->used = true;
    return found;
}

static struct block staged_block(const struct mpi_transfer *p)
{
    struct block block = p->t.block;
    return (struct block){p->copy->at, block.rows, block.cols, block.cols};
}

/* The block given to MPI: the block itself, or a copy that MPI can read. */
static struct block for_mpi(struct exchange *x, struct mpi_transfer *p)
{
    struct block block = p->t.block;
    if (x->comm->place->is_host)
        return block;
    p->copy = take_staged(x->comm, (size_t)(block.rows * block.cols));
    if (p->t.leaves)
        x->comm->place->fetch(staged_block(p), block);
    return staged_block(p);
}

/* ---- The engine ---- */

/* A block as one item of MPI: `rows` rows of `cols` elements, ld apart. MPI packs if it must.
   The type may be freed once the message has begun. */
static MPI_Datatype type_of(struct comm *comm, struct block block)
{
    MPI_Datatype type;
    check(comm,
          MPI_Type_vector((int)block.rows, (int)block.cols, (int)block.ld, mpi_real(), &type),
          "MPI_Type_vector");
    check(comm, MPI_Type_commit(&type), "MPI_Type_commit");
    return type;
}

static int begin_transfer(const struct transfer *t, struct block block, MPI_Datatype type,
                          MPI_Request *request)
{
    int elements = (int)(block.rows * block.cols);
    bool at_root = t->group && t->group->mine == t->root;
    switch (t->kind) {
    case SEND:
        return MPI_Isend(block.at, 1, type, t->other, TAG, MPI_COMM_WORLD, request);
    case RECEIVE:
        return MPI_Irecv(block.at, 1, type, t->other, TAG, MPI_COMM_WORLD, request);
    case BROADCAST:
        return MPI_Ibcast(block.at, 1, type, t->root, *(MPI_Comm *)t->group->own, request);
    default: /* a sum needs elements, not a type of our own: its blocks are contiguous */
        return MPI_Ireduce(at_root ? MPI_IN_PLACE : block.at, at_root ? block.at : NULL,
                           elements, mpi_real(), MPI_SUM, t->root, *(MPI_Comm *)t->group->own,
                           request);
    }
}

/* Begins a message: MPI starts each one as soon as it is named. */
static void post(struct exchange *x, struct transfer *t)
{
    static const char *const calls[] = {"MPI_Isend", "MPI_Irecv", "MPI_Ibcast", "MPI_Ireduce"};
    struct mpi_transfer *p = (struct mpi_transfer *)t;
    struct block block = for_mpi(x, p);
    MPI_Datatype type = type_of(x->comm, block);
    check(x->comm, begin_transfer(t, block, type, &p->request), calls[t->kind]);
    MPI_Type_free(&type);
}

static bool is_done(struct exchange *x, struct transfer *t)
{
    int done;
    check(x->comm, MPI_Test(&((struct mpi_transfer *)t)->request, &done, MPI_STATUS_IGNORE),
          x->what);
    return done;
}

static void finish(struct exchange *x, struct transfer *t)
{
    struct mpi_transfer *p = (struct mpi_transfer *)t;
    if (!p->copy)
        return;
    if (t->arrives)
        x->comm->place->bring(t->block, staged_block(p));
    p->copy->used = false;
}

static void open_group(struct comm *comm, struct group *group)
{
    MPI_Comm *own = comm_allocate(comm, sizeof *own, "a group");
    check(comm, MPI_Comm_split(MPI_COMM_WORLD, group->first, group->mine, own),
          "MPI_Comm_split");
    group->own = own;
}

static void close_group(struct comm *comm, struct group *group)
{
    check(comm, MPI_Comm_free(group->own), "MPI_Comm_free");
    free(group->own);
}

static const struct engine mpi;

/* Sends a message from each rank to each other one, although a library needs fewer: so every
   rank sees whose is missing. The receives come first in the list, which the wait reads. */
static void all_numbers(struct comm *comm, const double *mine, int count, double *all)
{
    enum { NUMBERS_TAG = TAG + 1 };
    struct exchange x = {
        .comm = comm, .engine = &mpi, .what = "numbers of all ranks", .last = &x.transfers};
    memmove(all + (long)comm->rank * count, mine, (size_t)count * sizeof *all);
    for (int step = 1; step < 2 * comm->ranks; step++) {
        struct transfer t = {.other = (comm->rank + step) % comm->ranks};
        if (t.other == comm->rank)
            continue;
        MPI_Request *request = &((struct mpi_transfer *)comm_add_transfer(&x, t))->request;
        if (step < comm->ranks)
            check(comm,
                  MPI_Irecv(all + (long)t.other * count, count, MPI_DOUBLE, t.other,
                            NUMBERS_TAG, MPI_COMM_WORLD, request),
                  "MPI_Irecv");
        else
            check(comm,
                  MPI_Isend(mine, count, MPI_DOUBLE, t.other, NUMBERS_TAG, MPI_COMM_WORLD,
                            request),
                  "MPI_Isend");
    }
    comm_wait(&x);
    comm_finish(&x);
}

static void close_mpi(struct comm *comm)
{
    check(comm, MPI_Finalize(), "MPI_Finalize");
    for (struct staged *s = comm->own, *next; s; s = next) {
        next = s->next;
        place_release_outside(s->at);
        free(s);
    }
}

static void __attribute__((noreturn)) end_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

static const struct engine mpi = {.name = "MPI",
                                  .transfer_bytes = sizeof(struct mpi_transfer),
                                  .post = post,
                                  .is_done = is_done,
                                  .finish = finish,
                                  .open_group = open_group,
                                  .close_group = close_group,
                                  .all = all_numbers,
                                  .close = close_mpi,
                                  .end_all = end_all};

void comm_open(struct comm *comm, double limit)
{
    *comm =
        (struct comm){.limit = limit, .engine = &mpi, .numbers = &mpi, .place = &place_host};
    comm_enter(comm);
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm->ranks);
    comm_meet(comm);
}

const char *comm_library(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length); /* may be asked before MPI_Init() */
    name[strcspn(name, ",\n")] = '\0';
    return name;
}
