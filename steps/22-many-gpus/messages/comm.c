/* SPDX-License-Identifier: MIT */
/** @file comm.c
 * What all engines share: counters, the log, and the limit of every wait.
 */
#include "comm.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/device/host.h"
#include "common/device/timer.h"
#include "common/matrix/random.h"

/* ---- A rank that fails ---- */

/* Prints a last line that begins with the rank's name. If several ranks that are threads of one
   process fail at the same time, the first one prints and ends the process, and the others wait
   for that. */
static void last_words(const struct comm *comm, const char *text)
{
    static atomic_flag spoken = ATOMIC_FLAG_INIT;
    static _Thread_local bool is_me;
    while (!is_me && atomic_flag_test_and_set(&spoken))
        pause();
    is_me = true;
    fflush(stdout);
    say(stderr, "rank %d of %d (process %ld)%s\n", comm->rank, comm->ranks, (long)getpid(),
        text); /* in one call, since other ranks write there, too */
}

void comm_abort(struct comm *comm, const char *format, ...)
{
    char text[512] = ": ";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + 2, sizeof text - 2, format, arguments);
    va_end(arguments);
    last_words(comm, text);
    comm->numbers->end_all(EXIT_RESOURCE);
}

void *comm_allocate(struct comm *comm, size_t bytes, const char *what)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block)
        comm_abort(comm, "not enough memory for %s: %zu bytes are needed", what, bytes);
    return block;
}

/* Set from comm_enter() to comm_close(). The handler below has no argument, but it runs in the
 * thread that has called exit(). */
static _Thread_local const struct comm *inside;

/* A failed call of CUDA or cuBLAS ends its process wherever it is. That is not a wrong result,
   but the other ranks cannot go on, so the run of all ranks ends. */
static void left_early(void)
{
    if (!inside)
        return;
    last_words(inside, " has failed, the reason is above; the run of all ranks is ended");
    _exit(EXIT_RESOURCE);
}

void comm_enter(const struct comm *comm)
{
    static _Thread_local bool noted; /* once a thread: each exit() takes one of the handlers */
    inside = comm;
    if (!noted)
        noted = atexit(left_early) == 0;
}

/* ---- Where the ranks run ---- */

static double this_host(void)
{
    char name[256] = "";
    uint64_t number = 0;
    gethostname(name, sizeof name - 1);
    for (const char *letter = name; *letter; letter++)
        number = random_bits(number + RANDOM_STEP + (unsigned char)*letter);
    return (double)(number >> 12); /* exact as a double */
}

void comm_meet(struct comm *comm)
{
    double mine = this_host();
    comm->hosts = comm_gather(comm, &mine, 1);
}

void comm_close(struct comm *comm)
{
    comm_barrier(comm);
    if (comm->numbers->close)
        comm->numbers->close(comm);
    inside = NULL;
    free(comm->hosts);
    free(comm->log);
}

/* Open MPI, and launchers that use PMI or PMIx, set these. */
bool comm_is_started(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

#ifndef LADDER_MPI
const char *comm_library(void) { return NULL; }

void comm_open(struct comm *comm, double limit) { (void)comm, (void)limit; }
#endif

/* ---- Waiting ---- */

/* The rank that a message must still come from or go to; -1 when all have arrived. */
static int waits_for(struct exchange *x)
{
    int waiting = -1;
    for (struct transfer *t = x->transfers; t; t = t->next) {
        t->is_done = t->is_done || x->engine->is_done(x, t);
        if (!t->is_done && waiting < 0)
            waiting = t->other;
    }
    return waiting;
}

/* Checks repeatedly whether everything has arrived: first without a pause, then every 50
   microseconds, so that ranks which share a processor let each other work. At the limit it
   ends the run. */
void comm_wait(struct exchange *x)
{
    const struct timespec pause = {0, 50000};
    double begun = timer_now();
    for (int rank; (rank = waits_for(x)) >= 0;) {
        double waited = timer_now() - begun;
        if (waited > 1000 * x->comm->limit)
            comm_abort(x->comm,
                       "waited %.0f s for rank %d, for \"%s\". Does it hang, or is it "
                       "stopped? --limit sets how long a wait may take",
                       x->comm->limit, rank, x->what);
        if (waited > 1)
            nanosleep(&pause, NULL);
    }
}

/* ---- Small numbers from all ranks ---- */

double *comm_gather(struct comm *comm, const double *mine, int count)
{
    double *all = comm_allocate(comm, (size_t)count * (size_t)comm->ranks * sizeof *all,
                                "numbers of all ranks");
    comm->numbers->all(comm, mine, count, all);
    return all;
}

double comm_largest(struct comm *comm, double value)
{
    double *all = comm_gather(comm, &value, 1), largest = value;
    for (int r = 0; r < comm->ranks; r++)
        largest = all[r] > largest || all[r] != all[r] ? all[r]
                                                       : largest; /* a NaN is largest of all */
    free(all);
    return largest;
}

/* Sums pieces so small that the same piece of every rank fits into a cache at a time. */
void comm_sum(struct comm *comm, double *numbers, long count)
{
    long most = larger(1, smaller(4096, (1 << 16) / comm->ranks));
    most = smaller(most, count);
    double *all =
        comm_allocate(comm, (size_t)(most * comm->ranks) * sizeof *all, "a sum over all ranks");
    for (long from = 0; from < count; from += most) {
        int piece = (int)smaller(most, count - from);
        comm->numbers->all(comm, numbers + from, piece, all);
        for (int i = 0; i < piece; i++) {
            double sum = 0;
            for (int r = 0; r < comm->ranks; r++)
                sum += all[r * piece + i];
            numbers[from + i] = sum;
        }
    }
    free(all);
}

/* ---- Groups ---- */

struct group group_open(struct comm *comm, int first, int stride, int count)
{
    struct group group = {first, stride, count, (comm->rank - first) / stride, NULL};
    comm_barrier(comm); /* names a missing rank: group_open() itself can only block */
    if (comm->engine->open_group)
        comm->engine->open_group(comm, &group);
    return group;
}

void group_close(struct comm *comm, struct group *group)
{
    comm_barrier(comm); /* as above */
    if (comm->engine->close_group)
        comm->engine->close_group(comm, group);
}

/* ---- Exchanges: counting, and the engine's part ---- */

void comm_forget(struct comm *comm)
{
    comm->moved = (struct moved){{0, 0}, {0, 0}};
    comm->logged = comm->exchanges = 0;
}

static bool is_empty(struct block block) { return block.rows == 0 || block.cols == 0; }

static struct traffic one_message(struct block block)
{
    return (struct traffic){1, (double)block.rows * (double)block.cols};
}

static void count_sent(struct exchange *x, struct block block)
{
    add_traffic(&x->comm->moved.sent, one_message(block));
}

static void count_received(struct exchange *x, struct block block, int from)
{
    struct comm *comm = x->comm;
    add_traffic(&comm->moved.received, one_message(block));
    if (!comm->keep_log)
        return;
    comm->log = realloc(comm->log, ((size_t)comm->logged + 1) * sizeof *comm->log);
    if (!comm->log)
        comm_abort(comm, "not enough memory for the log of messages");
    comm->log[comm->logged++] =
        (struct log_entry){from, comm->exchanges - 1, one_message(block).words};
}

struct transfer *comm_add_transfer(struct exchange *x, struct transfer t)
{
    struct transfer *added = comm_allocate(x->comm, x->engine->transfer_bytes, "an exchange");
    *added = t;
    *x->last = added;
    x->last = &added->next;
    return added;
}

static void post(struct exchange *x, struct transfer t)
{
    x->engine->post(x, comm_add_transfer(x, t));
}

void exchange_begin(struct exchange *x, struct comm *comm, const char *what)
{
    *x = (struct exchange){
        .comm = comm, .engine = comm->engine, .what = what, .last = &x->transfers};
    if (comm->apart)
        comm_barrier(comm); /* all ranks have ended their multiplications */
    comm->exchanges++;
    if (x->engine->begin)
        x->engine->begin(x);
}

void exchange_send(struct exchange *x, struct block block, int to)
{
    if (is_empty(block))
        return;
    count_sent(x, block);
    post(x, (struct transfer){.kind = SEND, .block = block, .other = to, .leaves = true});
}

/* `is_added`: what arrives is added to the block. */
static void receive(struct exchange *x, struct block block, int from, bool is_added)
{
    count_received(x, block, from);
    post(x, (struct transfer){.kind = RECEIVE,
                              .block = block,
                              .other = from,
                              .arrives = true,
                              .is_added = is_added});
}

void exchange_receive(struct exchange *x, struct block block, int from)
{
    if (!is_empty(block))
        receive(x, block, from, false);
}

/* Counts a broadcast from `root`, or a sum that `root` gets. If the engine has no groups, also
   sends it as single messages and returns true. */
static bool send_one_by_one(struct exchange *x, const struct group *group, struct block block,
                            int root, bool is_sum)
{
    bool outward = (group->mine == root) != is_sum; /* this rank sends; else it receives */
    bool has_groups = x->engine->open_group != NULL;
    for (int i = 0; i < group->count; i++) {
        int other = member(group, i);
        if (i == group->mine || (group->mine != root && i != root))
            continue;
        if (!has_groups && outward)
            exchange_send(x, block, other);
        else if (!has_groups)
            receive(x, block, other, is_sum);
        else if (outward)
            count_sent(x, block);
        else
            count_received(x, block, other);
    }
    return !has_groups;
}

static void post_in_group(struct exchange *x, const struct group *group, struct block block,
                          int root, enum transfer_kind kind)
{
    bool at_root = group->mine == root;
    if (is_empty(block) || group->count == 1 ||
        send_one_by_one(x, group, block, root, kind == REDUCE))
        return;
    post(x, (struct transfer){.kind = kind,
                              .block = block,
                              .other = member(group, at_root ? !root : root),
                              .group = group,
                              .root = root,
                              .leaves = at_root || kind == REDUCE,
                              .arrives = at_root == (kind == REDUCE)});
}

void exchange_broadcast(struct exchange *x, const struct group *group, struct block block,
                        int root)
{
    post_in_group(x, group, block, root, BROADCAST);
}

void exchange_reduce(struct exchange *x, const struct group *group, struct block block,
                     int root)
{
    post_in_group(x, group, block, root, REDUCE);
}

void exchange_start(struct exchange *x)
{
    if (x->engine->start)
        x->engine->start(x);
    if (x->comm->apart)
        comm_wait(x);
}

void comm_finish(struct exchange *x)
{
    for (struct transfer *t = x->transfers, *next; t; t = next) {
        next = t->next;
        if (x->engine->finish)
            x->engine->finish(x, t);
        free(t);
    }
}

void exchange_end(struct exchange *x)
{
    comm_wait(x);
    comm_finish(x);
    if (x->engine->end)
        x->engine->end(x);
}
