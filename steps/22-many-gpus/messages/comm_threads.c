/* SPDX-License-Identifier: MIT */
/** @file comm_threads.c
 * Ranks that are threads of one process (or a single rank), with messages as letters in
 * mailboxes. Blocks in a GPU's memory go through copies in host memory, unless NCCL moves them
 * (comm_nccl.c).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "comm.h"

/* A block's elements on their way. Letters between two ranks are numbered in the order of
   sending; a receive takes the letter with its own number. */
struct letter {
    struct letter *next;
    int from;
    long number;
    real elements[];
};

/* The letters that have arrived for a rank, and how many it has sent to each other rank and
   expects from it. */
struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct letter *letters;
    long *sent, *expected;
};

/* A block that is sent or awaited. */
struct letter_transfer {
    struct transfer t;
    long number;
};

/* What all ranks share. */
struct threads {
    int ranks;
    struct mailbox *mailboxes;
    pthread_barrier_t meeting; /* to which each rank brings numbers */
    const double **numbers;    /* those of every rank */
};

static void *memory(size_t bytes)
{
    void *block = calloc(1, bytes);
    if (!block) {
        fprintf(stderr, "not enough memory for %zu bytes of messages between threads\n", bytes);
        _exit(EXIT_RESOURCE);
    }
    return block;
}

static struct mailbox *mailbox_of(const struct comm *comm, int rank)
{
    return &comm->threads->mailboxes[rank];
}

/* Waits for news, at most 20 ms: then comm_wait() checks its limit. The caller holds the lock.
 */
static void wait_for_news(pthread_cond_t *news, pthread_mutex_t *lock)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(news, lock, &until);
}

/* ---- Blocks ---- */

static struct block as_sent(real *elements, struct block block)
{
    return (struct block){elements, block.rows, block.cols, block.cols};
}

static void send(struct exchange *x, const struct transfer *t)
{
    struct comm *comm = x->comm;
    struct mailbox *box = mailbox_of(comm, t->other);
    size_t elements = (size_t)(t->block.rows * t->block.cols);
    struct letter *letter =
        comm_allocate(comm, sizeof *letter + elements * sizeof(real), "a message");
    letter->from = comm->rank;
    letter->number = mailbox_of(comm, comm->rank)->sent[t->other]++;
    comm->place->fetch(as_sent(letter->elements, t->block), t->block);
    pthread_mutex_lock(&box->lock);
    letter->next = box->letters;
    box->letters = letter;
    pthread_cond_signal(&box->news);
    pthread_mutex_unlock(&box->lock);
}

static void post(struct exchange *x, struct transfer *t)
{
    if (t->leaves)
        send(x, t);
    else
        ((struct letter_transfer *)t)->number =
            mailbox_of(x->comm, x->comm->rank)->expected[t->other]++;
    t->is_done = t->leaves;
}

static void open_letter(struct comm *comm, const struct transfer *t, struct letter *letter)
{
    struct block from = as_sent(letter->elements, t->block);
    long count = from.rows * from.cols;
    if (t->is_added) {
        struct block sum =
            as_sent(comm_allocate(comm, (size_t)count * sizeof(real), "a sum"), t->block);
        comm->place->fetch(sum, t->block);
        for (long i = 0; i < count; i++)
            from.at[i] += sum.at[i];
        free(sum.at);
    }
    comm->place->bring(t->block, from);
}

/* Takes the awaited letter out of the box; NULL: it has not arrived. */
static struct letter *take(struct mailbox *box, int from, long number)
{
    struct letter **l = &box->letters, *found;
    while (*l && ((*l)->from != from || (*l)->number != number))
        l = &(*l)->next;
    found = *l;
    if (found)
        *l = found->next;
    return found;
}

/* If the letter is missing, the thread sleeps until there is news, once. */
static bool has_come(struct exchange *x, struct transfer *t)
{
    struct mailbox *box = mailbox_of(x->comm, x->comm->rank);
    long number = ((struct letter_transfer *)t)->number;
    pthread_mutex_lock(&box->lock);
    struct letter *letter = take(box, t->other, number);
    if (!letter) {
        wait_for_news(&box->news, &box->lock);
        letter = take(box, t->other, number);
    }
    pthread_mutex_unlock(&box->lock);
    if (letter)
        open_letter(x->comm, t, letter);
    free(letter);
    return letter != NULL;
}

/* ---- Numbers ---- */

/* Between two meetings all ranks read; after the second one each may change its numbers. */
static void all(struct comm *comm, const double *mine, int count, double *all)
{
    struct threads *t = comm->threads;
    t->numbers[comm->rank] = mine;
    pthread_barrier_wait(&t->meeting);
    for (int r = 0; r < t->ranks; r++)
        memcpy(all + (long)r * count, t->numbers[r], (size_t)count * sizeof *mine);
    pthread_barrier_wait(&t->meeting);
}

/* All ranks are in this process, so ending it ends them all. */
static void __attribute__((noreturn)) end_process(int status) { _exit(status); }

static const struct engine threads = {.name = "copies",
                                      .transfer_bytes = sizeof(struct letter_transfer),
                                      .post = post,
                                      .is_done = has_come,
                                      .all = all,
                                      .end_all = end_process};

/* ---- The beginning and the end ---- */

struct comm *comm_open_threads(int ranks, double limit)
{
    struct comm *comms = memory((size_t)ranks * sizeof *comms);
    struct threads *t = memory(sizeof *t);
    *t = (struct threads){.ranks = ranks,
                          .mailboxes = memory((size_t)ranks * sizeof *t->mailboxes),
                          .numbers = memory((size_t)ranks * sizeof *t->numbers)};
    pthread_barrier_init(&t->meeting, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++) {
        struct mailbox *box = &t->mailboxes[r];
        pthread_mutex_init(&box->lock, NULL);
        pthread_cond_init(&box->news, NULL);
        box->sent = memory((size_t)ranks * sizeof(long));
        box->expected = memory((size_t)ranks * sizeof(long));
        comms[r] = (struct comm){.rank = r,
                                 .ranks = ranks,
                                 .limit = limit,
                                 .engine = &threads,
                                 .numbers = &threads,
                                 .place = &place_host,
                                 .threads = t};
    }
    return comms;
}

void comm_begin_thread(struct comm *comm)
{
    comm_enter(comm);
    comm_meet(comm);
}

void comm_close_threads(struct comm *comms)
{
    struct threads *t = comms->threads;
    for (int r = 0; r < t->ranks; r++)
        free(t->mailboxes[r].sent), free(t->mailboxes[r].expected);
    pthread_barrier_destroy(&t->meeting);
    free(t->mailboxes), free(t->numbers);
    free(t), free(comms);
}
