/* SPDX-License-Identifier: MIT */
/** @file comm.h
 * Messages between ranks: blocks of matrices, sent, broadcast and summed by MPI or NCCL.
 *
 * A rank is a process, or a thread of one process (and on GPUs it has one GPU). All ranks run
 * the same program, and every rank reaches the same exchanges in the same order:
 *
 *     struct exchange x;
 *     exchange_begin(&x, comm, "panel");
 *     exchange_send(&x, block, right);         returns at once:
 *     exchange_receive(&x, other, left);       several messages may be pending
 *     exchange_start(&x);                      from here on they are under way
 *     ... multiply what is there already ...
 *     exchange_end(&x);                        now all of x has arrived
 *
 * Every wait for a message has a limit. When it is over, the whole run ends with a line that
 * names the rank, and with exit status 3. If a process dies, mpirun ends the others.
 *
 * The layer adds three things to the library below it: blocks with leading dimensions,
 * counters, and the limit. Three files are the engines that move blocks: comm_mpi.c
 * (processes), comm_threads.c (threads of one process, or a single rank) and comm_nccl.c
 * (blocks in GPU memory, together with one of these two). comm.c is what they share.
 */
#ifndef STEPS_22_MANY_GPUS_MESSAGES_COMM_H
#define STEPS_22_MANY_GPUS_MESSAGES_COMM_H

#include <stdbool.h>
#include <stddef.h>

#include "common/matrix/block.h"
#include "steps/22-many-gpus/places/place.h"

/** Messages, and the elements in them. A broadcast counts as one message to each other member
 * and a sum as one from each, whatever tree the library uses. */
struct traffic {
    double messages, words;
};

static inline void add_traffic(struct traffic *to, struct traffic more)
{
    to->messages += more.messages;
    to->words += more.words;
}

/** What one rank has sent and received. */
struct moved {
    struct traffic sent, received;
};

/** A message that a rank has received; kept while `keep_log` is set. */
struct log_entry {
    int from, exchange; /**< the exchange's number, counted from 0 */
    double words;
};

/** One rank's view of all ranks and of its messages. */
struct comm {
    int rank, ranks;
    double limit;       /**< seconds that any wait may take */
    struct moved moved; /**< since comm_forget() */
    bool keep_log;
    struct log_entry *log; /**< `logged` of them since comm_forget() */
    int logged, exchanges;
    const struct engine *engine;  /**< moves the blocks */
    const struct engine *numbers; /**< moves small data: the engine that found the ranks */
    const struct place *place; /**< the memory that contains the blocks: at first the host's */
    double *hosts;             /**< of each rank: a number made from its host's name */
    struct threads *threads;   /**< shared by ranks that are threads of one process; NULL: they
                                  are processes */
    bool apart; /**< no message is under way while a rank multiplies: an exchange begins when
                   all ranks have reached it, and its start waits for its end */
    void *own;  /**< the engine's */
};

/** Some of the ranks: first, first + stride ... */
struct group {
    int first, stride, count;
    int mine;  /**< the number of this rank among the members */
    void *own; /**< the engine's */
};

static inline int member(const struct group *g, int i) { return g->first + i * g->stride; }

/** Messages that are under way together. */
struct exchange {
    struct comm *comm;
    const struct engine *engine;
    const char *what;                   /**< for messages: "panel of A" */
    struct transfer *transfers, **last; /**< a list, and where the next one goes */
    void *own;                          /**< the engine's */
};

/** Finds the other ranks that mpirun has started. `limit`: seconds for every wait for a
 * message. Only in a program with MPI. */
void comm_open(struct comm *comm, double limit);

/** Waits for all ranks and frees everything. */
void comm_close(struct comm *comm);

/** Makes `ranks` comms, one for each rank that will be a thread of this process. Each thread
 * begins with comm_begin_thread() on its own comm and closes it; comm_close_threads() comes
 * after the last of them. */
struct comm *comm_open_threads(int ranks, double limit);
void comm_begin_thread(struct comm *comm);
void comm_close_threads(struct comm *comms);

/** From now on blocks are in GPU memory and are moved with NCCL. Every rank calls it once its
 * device is chosen. Only in a program with NCCL. */
void comm_use_nccl(struct comm *comm);
void comm_leave_nccl(struct comm *comm);

/** Whether mpirun started this process; may be asked before comm_open(). */
bool comm_is_started(void);

/** MPI's name and version; NULL in a program without it. */
const char *comm_library(void);

/** Every rank contributes `count` numbers in host memory and gets those of all ranks, in the
 * order of ranks, in a list that the caller frees. It is also a barrier: it returns when all
 * ranks have called it. Not counted. */
double *comm_gather(struct comm *comm, const double *mine, int count);

/** The largest of all ranks' values. */
double comm_largest(struct comm *comm, double value);

/** Waits until all ranks have called it. */
static inline void comm_barrier(struct comm *comm) { comm_largest(comm, 0); }

/** Sums `count` numbers over all ranks, in place, in the same order on every rank. */
void comm_sum(struct comm *comm, double *numbers, long count);

/** Ends the run of all ranks with exit status 3, after a line that begins with this rank's
 * name. */
void comm_abort(struct comm *comm, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** calloc() that ends the run if there is no memory. `what` names its use: "the check". */
void *comm_allocate(struct comm *comm, size_t bytes, const char *what);

/** Makes the group of `count` ranks first, first + stride, ..., to which this rank belongs. All
 * ranks of the run call it at the same time, each for its own group. */
struct group group_open(struct comm *comm, int first, int stride, int count);
void group_close(struct comm *comm, struct group *group);

/** Starts the counters, and the log, at zero. */
void comm_forget(struct comm *comm);

void exchange_begin(struct exchange *x, struct comm *comm, const char *what);

/** Messages between two ranks arrive in the order in which they were sent. Before
 * exchange_end() a block must not be used (one being sent: not changed). Empty blocks are not
 * sent, and not counted. */
void exchange_send(struct exchange *x, struct block block, int to);
void exchange_receive(struct exchange *x, struct block block, int from);

/** Sends member `root`'s block to all members; it has the same shape on all. */
void exchange_broadcast(struct exchange *x, const struct group *group, struct block block,
                        int root);

/** Gives member `root` the sum of all members' contiguous blocks, in place. */
void exchange_reduce(struct exchange *x, const struct group *group, struct block block,
                     int root);

/** The list of messages is complete; from here on they are under way. */
void exchange_start(struct exchange *x);

/** Waits until all messages have arrived. */
void exchange_end(struct exchange *x);

/* ---- What an engine implements, and what it calls ---- */

enum transfer_kind { SEND, RECEIVE, BROADCAST, REDUCE };

/** One block that an exchange moves. */
struct transfer {
    struct transfer *next;
    enum transfer_kind kind;
    struct block block;
    int other; /**< the rank it goes to or comes from; in a group, one of those it waits for */
    const struct group *group; /**< of a broadcast or a sum */
    int root;
    bool leaves, arrives; /**< the block is read; it is written */
    bool is_added;        /**< what arrives is added to the block */
    bool is_done;
};

/** The functions that move blocks. NULL where the engine has nothing to do. */
struct engine {
    const char *name;
    size_t transfer_bytes; /**< of a transfer with the engine's own data after it */
    void (*begin)(struct exchange *x);
    void (*post)(struct exchange *x, struct transfer *t); /**< begins one transfer */
    void (*start)(struct exchange *x);
    bool (*is_done)(struct exchange *x, struct transfer *t);
    void (*finish)(struct exchange *x, struct transfer *t); /**< when all are done */
    void (*end)(struct exchange *x);
    /** NULL: broadcasts and sums are sent as single messages. */
    void (*open_group)(struct comm *comm, struct group *group);
    void (*close_group)(struct comm *comm, struct group *group);
    /** Gives every rank the `count` numbers of all ranks; see comm_gather(). */
    void (*all)(struct comm *comm, const double *mine, int count, double *all);
    void (*close)(struct comm *comm); /**< the end of all ranks */
    /** Ends the processes of all ranks. */
    void (*end_all)(int status) __attribute__((noreturn));
};

/** Until comm_close(), a rank that calls exit() ends the whole run with exit status 3 and its
 * name. Every thread that is a rank calls both. */
void comm_enter(const struct comm *comm);

/** Collects the ranks' hosts; the last step of opening a comm. */
void comm_meet(struct comm *comm);

/** Adds a transfer to the exchange's list, with room for the engine's own data. */
struct transfer *comm_add_transfer(struct exchange *x, struct transfer t);

/** Waits for `x`, as exchange_end() does, and watches the limit. */
void comm_wait(struct exchange *x);

/** Frees the transfers of `x`, all of which are done. */
void comm_finish(struct exchange *x);

#endif
