/* SPDX-License-Identifier: MIT */
/** @file comm.h
 * What ranks say to each other: blocks of matrices, sent, broadcast and summed by MPI or NCCL.
 *
 * A rank is a process, or a thread of one process (and on GPUs one GPU). All ranks run the same
 * program, and every rank reaches the same exchanges in the same order:
 *
 *     struct exchange x;
 *     exchange_begin(&x, comm, "panel");
 *     exchange_send(&x, block, right);         nothing is waited for:
 *     exchange_receive(&x, other, left);       several messages at a time
 *     exchange_start(&x);                      from here on they are under way
 *     ... multiply what is there already ...
 *     exchange_end(&x);                        now all of x has arrived
 *
 * No wait is without a limit. When it is over, or when a process that one waits for has died,
 * the whole run ends with a line that names the rank, and exit status 3.
 *
 * The layer adds three things to the library below: blocks with leading dimensions, counters,
 * and the limit. Four files implement it: comm_mpi.c (processes), comm_threads.c (threads of
 * one process), comm_nccl.c (blocks in GPU memory, over one of these two) and comm_alone.c (one
 * rank, and what a program without MPI has instead of it). comm.c is what they share.
 */
#ifndef STEPS_22_MANY_GPUS_COMM_H
#define STEPS_22_MANY_GPUS_COMM_H

#include <stdbool.h>
#include <stddef.h>

#include "common/matrix/block.h"
#include "place.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Messages, and the elements in them. A broadcast counts as one message to each other member,
 * a sum as one from each: as if they went straight, whatever tree the library
 * sends them along. */
struct traffic {
    double messages, words;
};

/** A message that a rank has received; kept while `keep_log` is set. */
struct message {
    int from, exchange; /**< the exchange's number, counted from 0 */
    double words;
    const char *what;
};

/** One rank's end of everything. */
struct comm {
    int rank, ranks;
    double limit;                  /**< seconds that any wait may take */
    struct traffic sent, received; /**< since comm_forget() */
    bool keep_log;
    struct message *log; /**< `logged` of them since comm_forget() */
    int logged, exchanges;
    const struct engine *engine; /**< what moves the blocks */
    const struct place
        *place;             /**< the memory they lie in; the host's until somebody changes it */
    struct peer *peers;     /**< where each rank runs */
    struct staged *staging; /**< host memory that messages of a GPU go through; MPI's */
    struct threads *threads; /**< what ranks share that are threads of one process; NULL: they
                                are processes */
    bool apart; /**< nothing is under way while a rank multiplies: an exchange begins when all
                   ranks have come to it, and its start waits for its end */
    void *own;  /**< the engine's */
};

/** Some of the ranks, in an order of their own. */
struct group {
    int count, mine;    /**< members, and which of them this rank is */
    const int *members; /**< their ranks; the caller's, and kept */
    void *own;          /**< the engine's */
};

/** Messages that are under way together. */
struct exchange {
    struct comm *comm;
    const struct engine *engine;
    const char *what; /**< for people: "panel of A" */
    void *own;        /**< the engine's */
};

/**
 * Finds the other ranks. `limit`: seconds for this and for every later wait.
 * The program then runs alone (comm->ranks is 1) or under mpirun.
 */
void comm_open(struct comm *comm, double limit);

/** Waits for all ranks and lets go of everything. */
void comm_close(struct comm *comm);

/** Runs `run` on so many ranks, each a thread of this process with its own end of everything,
 * which `run` closes. Returns the largest of the statuses. */
int comm_run_threads(int ranks, double limit, int (*run)(struct comm *comm, void *what),
                     void *what);

/** Blocks lie in GPU memory from now on and go by NCCL; every rank calls it, when its device is
 * chosen. Only where NCCL was found. */
void comm_use_nccl(struct comm *comm);
void comm_leave_nccl(struct comm *comm);

/** True when this process was started by mpirun, which may be asked before comm_open(). */
bool comm_is_started(void);

/** This rank and how many there are, as mpirun tells them before comm_open(); 0 of 0 when it
 * does not. */
void comm_started_as(int *rank, int *ranks);

/** The library and its version; NULL where there is none, and only one rank. */
const char *comm_library(void);

/** Every rank contributes `count` numbers in host memory and gets those of all, rank after
 * rank. Also what ranks meet at: nobody returns before all have come. Not counted. */
void comm_all(struct comm *comm, const double *mine, int count, double *all);

/** The same into a list that the caller frees. `what`: the numbers' name, for a message. */
double *comm_gather(struct comm *comm, const double *mine, int count, const char *what);

/** The largest of all ranks' values. */
double comm_largest(struct comm *comm, double value);

/** Sums `count` numbers over all ranks, in place, in the same order on all. */
void comm_sum(struct comm *comm, double *numbers, long count);

/** Ends the run of all ranks with exit status 3, after a line that begins with this rank's
 * name. */
void comm_abort(struct comm *comm, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** Makes a group of `count` members, of which this rank is one. All ranks of the run call it at
 * the same time, each for its own group; those with the same `color` are in the same one. */
void group_open(struct comm *comm, struct group *group, const int *members, int count,
                int color);
void group_close(struct comm *comm, struct group *group);

/** Starts the counters, and the log, at zero. */
void comm_forget(struct comm *comm);

/// [exchange]
void exchange_begin(struct exchange *x, struct comm *comm, const char *what);

/** Messages between two ranks arrive in the order in which they were sent. A block must not be
 * used (a sent one: not changed) before exchange_end(). Empty blocks are not sent, and not
 * counted. */
void exchange_send(struct exchange *x, struct block block, int to);
void exchange_receive(struct exchange *x, struct block block, int from);

/** Member `root`'s block goes to all members; the shape is the same on all. */
void exchange_broadcast(struct exchange *x, const struct group *group, struct block block,
                        int root);

/** Member `root` gets the sum of all members' contiguous blocks, in place. */
void exchange_reduce(struct exchange *x, const struct group *group, struct block block,
                     int root);

/** All messages of it are named; from here on they are under way. */
void exchange_start(struct exchange *x);

/** Waits until all of it has arrived. */
void exchange_end(struct exchange *x);
/// [exchange]

/** ---- What an engine implements, and nobody else calls ---- */

/** A function that is NULL has nothing to do; an engine of one rank needs few of them. */
struct engine {
    const char *name;
    void (*begin)(struct exchange *x);
    void (*send)(struct exchange *x, struct block block, int to);
    void (*receive)(struct exchange *x, struct block block, int from);
    void (*broadcast)(struct exchange *x, const struct group *group, struct block block,
                      int root);
    void (*reduce)(struct exchange *x, const struct group *group, struct block block, int root);
    void (*start)(struct exchange *x);
    /** The rank that a message still has to come from or go to; -1 when all have arrived. */
    int (*waits_for)(struct exchange *x);
    void (*end)(struct exchange *x);
    void (*open_group)(struct comm *comm, struct group *group, int color);
    void (*close_group)(struct comm *comm, struct group *group);
    void (*all)(struct comm *comm, const double *mine, int count,
                double *all); /**< see comm_all() */
};

/** comm_open() and comm_close() where this is the only rank. */
void comm_open_alone(struct comm *comm, double limit);
void comm_close_alone(struct comm *comm);

/** Between the two, a rank that calls exit() ends the run with exit status 3 and its name; what
 * comm_open() does first and comm_close() last, in each thread that is a rank. */
void comm_enter(const struct comm *comm);
void comm_leave(void);

/** Ends the processes of all ranks with this status, by whatever the library has for that. */
void comm_end_all(struct comm *comm, int status) __attribute__((noreturn));

/** Where a rank runs. */
struct peer {
    double host, process; /**< a number made of the host's name; the process's number there */
};

/** How a process of this host is, as ps shows it: T stopped, Z dead and not waited for; '?'
 * when it is not there. */
char comm_process_state(long process);

/** Exchanges the ranks' places; what comm_open() does last. */
void comm_meet(struct comm *comm);

/** Waits for `x`, as exchange_end() does, with a look at the limit and at the dead. */
void comm_wait(struct exchange *x);

/** From here on the process ends with status 3 if this thread does not call comm_watch(comm,
 * NULL) in time: around calls of the library that can only block. */
void comm_watch(struct comm *comm, const char *what);

#ifdef __cplusplus
}
#endif
#endif
