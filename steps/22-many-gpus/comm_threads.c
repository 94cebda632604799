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

enum { NUMBERS = 4096 }; /* that comm_all() passes on at a time, for each rank */

/* What all ranks share. */
struct threads {
    int ranks;
    struct mailbox *mailboxes;
    pthread_mutex_t lock; /* for the meetings */
    pthread_cond_t news;
    long met, *came; /* the last meeting that all ranks have reached, and the last that
                        each one has reached */
    int here;        /* how many ranks have reached the next one */
    double *numbers; /* NUMBERS of every rank, twice: some ranks read those of a meeting while
                        others reach the next */
};

static void *memory(size_t bytes)
{
    void *block = calloc(1, bytes);
    if (!block) {
        fprintf(stderr, "no memory for %zu bytes of messages between threads\n", bytes);
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
    comm->place->bring(t->block, from, false);
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

/* ---- Meetings, to which each rank brings numbers ---- */

/* A meeting's one transfer: done when all ranks have come. Until then it counts as one from a
   rank that has not. */
static bool all_have_come(struct exchange *x, struct transfer *t)
{
    struct threads *shared = x->comm->threads;
    long meeting = shared->came[x->comm->rank];
    pthread_mutex_lock(&shared->lock);
    if (shared->met < meeting)
        wait_for_news(&shared->news, &shared->lock);
    bool done = shared->met >= meeting;
    for (t->other = 0; !done && shared->came[t->other] >= meeting;)
        t->other++;
    pthread_mutex_unlock(&shared->lock);
    return done;
}

static const struct engine meetings = {.is_done = all_have_come};

static double *numbers_at(struct threads *t, long meeting, int rank)
{
    return t->numbers + ((size_t)(meeting % 2) * (size_t)t->ranks + (size_t)rank) * NUMBERS;
}

static void all(struct comm *comm, const double *mine, int count, double *all)
{
    struct threads *t = comm->threads;
    int from = 0;
    do {
        struct transfer others = {.other = 0};
        struct exchange x = {.comm = comm,
                             .engine = &meetings,
                             .what = "numbers of all ranks",
                             .transfers = &others};
        long meeting = t->came[comm->rank] + 1; /* only this rank changes it */
        size_t bytes = (size_t)smaller(NUMBERS, count - from) * sizeof *mine;
        memcpy(numbers_at(t, meeting, comm->rank), mine + from, bytes);
        pthread_mutex_lock(&t->lock);
        t->came[comm->rank] = meeting;
        if (++t->here == t->ranks) {
            t->here = 0, t->met = meeting;
            pthread_cond_broadcast(&t->news);
        }
        pthread_mutex_unlock(&t->lock);
        comm_wait(&x);
        for (int r = 0; r < t->ranks; r++)
            memcpy(all + (long)r * count + from, numbers_at(t, meeting, r), bytes);
        from += NUMBERS;
    } while (from < count);
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
                          .came = memory((size_t)ranks * sizeof *t->came),
                          .numbers = memory(2 * (size_t)ranks * NUMBERS * sizeof *t->numbers)};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->news, NULL);
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
    free(t->mailboxes), free(t->came), free(t->numbers);
    free(t), free(comms);
}
