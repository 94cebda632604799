/* SPDX-License-Identifier: MIT */
/** @file comm_mpi.c
 * Blocks moved by MPI. Those in a GPU's memory go through copies in host memory.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"

#ifdef LADDER_F32
#define MPI_REAL_HERE MPI_FLOAT
#else
#define MPI_REAL_HERE MPI_DOUBLE
#endif
enum { TAG = 22 };

/* What an exchange waits for: a request for each message, and whom it concerns. */
struct pending {
    MPI_Request request;
    int rank;
    struct staged *copy; /* in host memory, of a block that is not; or NULL */
    struct block block;  /* where a copy goes when it has arrived; no rows: nowhere */
};
struct requests {
    int count, capacity;
    struct pending *pending;
};

/* A piece of host memory that messages of a GPU go through. Pinning takes longer than many a
   message: so it is kept for the next ones. */
struct staged {
    struct staged *next;
    real *at;
    size_t elements;
    bool used;
};

/* Every call goes through this: what MPI cannot do ends the run with our status and not with
 * MPI's. */
static void check(struct comm *comm, int status, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (status == MPI_SUCCESS)
        return;
    MPI_Error_string(status, text, &length);
    comm_abort(comm, "%s: %s. What another rank said last may stand above", what, text);
}

/* The smallest that is free and large enough, or a new one. */
static struct staged *take_staged(struct comm *comm, size_t elements)
{
    struct staged *found = NULL;
    for (struct staged *s = comm->staging; s; s = s->next)
        if (!s->used && s->elements >= elements && (!found || s->elements < found->elements))
            found = s;
    if (!found) {
        found = calloc(1, sizeof *found);
        if (found)
            *found = (struct staged){comm->staging,
                                     place_outside()->allocate(elements * sizeof(real)),
                                     elements, true};
        if (!found || !found->at)
            comm_abort(comm, "no host memory for a message of %zu elements", elements);
        comm->staging = found;
    }
    found->used = true;
    return found;
}

static void free_staging(struct comm *comm)
{
    for (struct staged *s = comm->staging, *next; s; s = next) {
        next = s->next;
        place_outside()->release(s->at);
        free(s);
    }
    comm->staging = NULL;
}

static struct pending *add_request(struct exchange *x, int rank)
{
    struct requests *r = x->own;
    if (r->count == r->capacity) {
        r->capacity = 2 * r->capacity + 8;
        struct pending *more = realloc(r->pending, (size_t)r->capacity * sizeof *more);
        if (!more)
            comm_abort(x->comm, "no memory for %d messages", r->capacity);
        r->pending = more;
    }
    r->pending[r->count] = (struct pending){.request = MPI_REQUEST_NULL, .rank = rank};
    return &r->pending[r->count++];
}

static void begin(struct exchange *x)
{
    x->own = calloc(1, sizeof(struct requests));
    if (!x->own)
        comm_abort(x->comm, "no memory for an exchange");
}

static void end(struct exchange *x)
{
    struct requests *r = x->own;
    for (int i = 0; i < r->count; i++) {
        struct pending *p = &r->pending[i];
        if (!p->copy)
            continue;
        struct block copy = {p->copy->at, p->block.rows, p->block.cols, p->block.cols};
        if (p->block.rows)
            x->comm->place->bring(p->block, copy, false);
        p->copy->used = false;
    }
    free(r->pending);
    free(r);
}

/* What MPI is given for a block: itself, or a copy that MPI can read. What is received goes
   from there to the block at the end. */
static struct block for_mpi(struct exchange *x, struct pending *p, struct block block,
                            bool sent, bool received)
{
    if (x->comm->place->is_host)
        return block;
    p->copy = take_staged(x->comm, (size_t)(block.rows * block.cols));
    struct block copy = {p->copy->at, block.rows, block.cols, block.cols};
    if (sent)
        x->comm->place->fetch(copy, block);
    p->block = block;
    p->block.rows = received ? block.rows : 0;
    return copy;
}

/// [block type]
/* A block as one item of MPI: so many rows of so many elements, ld apart. MPI packs where it
   must. The type may be freed when the message has begun. */
static MPI_Datatype type_of(struct comm *comm, struct block block)
{
    MPI_Datatype type;
    check(
        comm,
        MPI_Type_vector((int)block.rows, (int)block.cols, (int)block.ld, MPI_REAL_HERE, &type),
        "MPI_Type_vector");
    check(comm, MPI_Type_commit(&type), "MPI_Type_commit");
    return type;
}

static void message(struct exchange *x, struct block block, int other, bool sent)
{
    struct pending *p = add_request(x, other);
    block = for_mpi(x, p, block, sent, !sent);
    MPI_Datatype type = type_of(x->comm, block);
    check(x->comm,
          sent ? MPI_Isend(block.at, 1, type, other, TAG, MPI_COMM_WORLD, &p->request)
               : MPI_Irecv(block.at, 1, type, other, TAG, MPI_COMM_WORLD, &p->request),
          sent ? "MPI_Isend" : "MPI_Irecv");
    MPI_Type_free(&type);
}
/// [block type]

static void send(struct exchange *x, struct block block, int to)
{
    message(x, block, to, true);
}

static void receive(struct exchange *x, struct block block, int from)
{
    message(x, block, from, false);
}

static void broadcast(struct exchange *x, const struct group *group, struct block block,
                      int root)
{
    bool mine = group->mine == root;
    struct pending *p = add_request(x, group->members[mine ? !root : root]);
    block = for_mpi(x, p, block, mine, !mine);
    MPI_Datatype type = type_of(x->comm, block);
    check(x->comm, MPI_Ibcast(block.at, 1, type, root, *(MPI_Comm *)group->own, &p->request),
          "MPI_Ibcast");
    MPI_Type_free(&type);
}

/* A sum needs elements, not a type of our own: blocks are contiguous here. */
static void reduce(struct exchange *x, const struct group *group, struct block block, int root)
{
    bool mine = group->mine == root;
    struct pending *p = add_request(x, group->members[mine ? !root : root]);
    block = for_mpi(x, p, block, true, mine);
    check(x->comm,
          MPI_Ireduce(mine ? MPI_IN_PLACE : block.at, mine ? block.at : NULL,
                      (int)(block.rows * block.cols), MPI_REAL_HERE, MPI_SUM, root,
                      *(MPI_Comm *)group->own, &p->request),
          "MPI_Ireduce");
}

static int waits_for(struct exchange *x)
{
    const struct requests *r = x->own;
    int waiting = -1;
    for (int i = 0; i < r->count; i++) {
        int arrived = 1;
        if (r->pending[i].request != MPI_REQUEST_NULL)
            check(x->comm, MPI_Test(&r->pending[i].request, &arrived, MPI_STATUS_IGNORE),
                  x->what);
        if (!arrived && waiting < 0)
            waiting = r->pending[i].rank;
    }
    return waiting;
}

static void open_group(struct comm *comm, struct group *group, int color)
{
    MPI_Comm *own = malloc(sizeof *own);
    if (!own)
        comm_abort(comm, "no memory for a group");
    comm_watch(comm, "making groups of ranks");
    check(comm, MPI_Comm_split(MPI_COMM_WORLD, color, group->mine, own), "MPI_Comm_split");
    comm_watch(comm, NULL);
    group->own = own;
}

static void close_group(struct comm *comm, struct group *group)
{
    comm_watch(comm, "letting groups of ranks go");
    check(comm, MPI_Comm_free(group->own), "MPI_Comm_free");
    comm_watch(comm, NULL);
    free(group->own);
}

static const struct engine mpi;

/* A message from each rank to each other, where a library would take fewer: so everybody sees
 * who has not come. */
static void all_numbers(struct comm *comm, const double *mine, int count, double *all)
{
    enum { NUMBERS_TAG = TAG + 1 };
    struct exchange x = {comm, &mpi, "numbers of all ranks", NULL};
    memmove(all + (long)comm->rank * count, mine, (size_t)count * sizeof *all);
    begin(&x);
    for (int step = 1; step < 2 * comm->ranks;
         step++) { /* first what is received, which tells who is missing */
        int other = (comm->rank + step) % comm->ranks;
        struct pending *p = other == comm->rank ? NULL : add_request(&x, other);
        if (p && step < comm->ranks)
            check(comm,
                  MPI_Irecv(all + (long)other * count, count, MPI_DOUBLE, other, NUMBERS_TAG,
                            MPI_COMM_WORLD, &p->request),
                  "MPI_Irecv");
        else if (p)
            check(comm,
                  MPI_Isend(mine, count, MPI_DOUBLE, other, NUMBERS_TAG, MPI_COMM_WORLD,
                            &p->request),
                  "MPI_Isend");
    }
    comm_wait(&x);
    end(&x);
}

/* MPI has begun with each message when it was named: there is nothing to start. */
static const struct engine mpi = {.name = "MPI",
                                  .begin = begin,
                                  .send = send,
                                  .receive = receive,
                                  .broadcast = broadcast,
                                  .reduce = reduce,
                                  .waits_for = waits_for,
                                  .end = end,
                                  .open_group = open_group,
                                  .close_group = close_group,
                                  .all = all_numbers};

void comm_open(struct comm *comm, double limit)
{
    if (!comm_is_started()) { /* one rank needs no MPI, which takes half a second to begin */
        comm_open_alone(comm, limit);
        return;
    }
    *comm = (struct comm){.limit = limit, .engine = &mpi, .place = &place_host};
    comm_started_as(&comm->rank, &comm->ranks);
    comm_enter(comm);
    comm_watch(comm, "finding the other ranks (MPI_Init)");
    MPI_Init(NULL, NULL);
    comm_watch(comm, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm->ranks);
    comm_meet(comm);
}

void comm_close(struct comm *comm)
{
    if (!comm_is_started()) {
        comm_close_alone(comm);
        return;
    }
    double nothing = 0, *all = malloc((size_t)comm->ranks * sizeof *all);
    if (all)
        comm_all(comm, &nothing, 1, all);
    free(all);
    comm_watch(comm, "the end of all ranks (MPI_Finalize)");
    check(comm, MPI_Finalize(), "MPI_Finalize");
    free_staging(comm);
    comm_watch(comm, NULL);
    comm_close_alone(comm);
}

const char *comm_library(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length); /* may be asked before MPI_Init() */
    name[strcspn(name, ",\n")] = '\0';
    return name;
}

void comm_end_all(struct comm *comm, int status)
{
    (void)comm;
    if (comm_is_started())
        MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}
