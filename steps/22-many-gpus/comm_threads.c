/* SPDX-License-Identifier: MIT */
/** @file comm_threads.c
 * Ranks that are threads of one process, and messages between them: lists of letters. Blocks in
 * a GPU's memory go through copies in the host's, unless NCCL moves them (comm_nccl.c).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "comm.h"

/* A block's elements on their way. Those between two ranks are numbered as they are sent, and
   taken by the receive of the same number. */
struct letter {
    struct letter *next;
    int from;
    long number;
    real elements[];
};

/* What a rank has: letters that have come for it, and how many it has sent to and expects from
 * each other. */
struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct letter *letters;
    long *sent, *expected;
};

/* A block that an exchange still waits for. */
struct awaited {
    struct awaited *next;
    struct block block;
    int from;
    long number;
    bool is_added; /* a part of a sum */
};

enum { NUMBERS = 4096 }; /* of a rank that comm_all() passes on at a time */

/* What all ranks share. */
struct threads {
    int ranks;
    struct mailbox *mailboxes;
    pthread_mutex_t lock; /* of the meetings */
    pthread_cond_t news;
    long met, *came; /* the last meeting to which all came, and the last one to which each rank
                        came */
    int here;        /* ranks that have come to the next one */
    double *numbers; /* NUMBERS of every rank, twice: some read those of a meeting while others
                        come to the next */
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

/* The caller has the lock. Until there is news, 20 ms at most: then comm_wait() looks at its
 * limit. */
static void wait_for_news(pthread_cond_t *news, pthread_mutex_t *lock)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(news, lock, &until);
}

/* ---- Blocks ---- */

static void send(struct exchange *x, struct block block, int to)
{
    struct comm *comm = x->comm;
    struct mailbox *box = mailbox_of(comm, to);
    struct letter *letter =
        malloc(sizeof *letter + (size_t)(block.rows * block.cols) * sizeof(real));
    if (!letter)
        comm_abort(comm, "no host memory for a message of %ld elements",
                   block.rows * block.cols);
    letter->from = comm->rank;
    letter->number = mailbox_of(comm, comm->rank)->sent[to]++;
    comm->place->fetch((struct block){letter->elements, block.rows, block.cols, block.cols},
                       block);
    pthread_mutex_lock(&box->lock);
    letter->next = box->letters;
    box->letters = letter;
    pthread_cond_signal(&box->news);
    pthread_mutex_unlock(&box->lock);
}

static void await(struct exchange *x, struct block block, int from, bool is_added)
{
    struct awaited *a = memory(sizeof *a);
    *a = (struct awaited){x->own, block, from,
                          mailbox_of(x->comm, x->comm->rank)->expected[from]++, is_added};
    x->own = a;
}

static void receive(struct exchange *x, struct block block, int from)
{
    await(x, block, from, false);
}

static void broadcast(struct exchange *x, const struct group *group, struct block block,
                      int root)
{
    for (int i = 0; group->mine == root && i < group->count; i++)
        if (i != root)
            send(x, block, group->members[i]);
    if (group->mine != root)
        await(x, block, group->members[root], false);
}

static void reduce(struct exchange *x, const struct group *group, struct block block, int root)
{
    for (int i = 0; group->mine == root && i < group->count; i++)
        if (i != root)
            await(x, block, group->members[i], true);
    if (group->mine != root)
        send(x, block, group->members[root]);
}

static void open_letter(struct comm *comm, const struct awaited *a, struct letter *letter)
{
    struct block to = a->block, from = {letter->elements, to.rows, to.cols, to.cols};
    long count = to.rows * to.cols;
    if (a->is_added) {
        struct block sum = {memory((size_t)count * sizeof(real)), to.rows, to.cols, to.cols};
        comm->place->fetch(sum, to);
        for (long i = 0; i < count; i++)
            from.at[i] += sum.at[i];
        free(sum.at);
    }
    comm->place->bring(to, from, false);
}

/* The letter that is awaited, taken out of the box; NULL: it has not come. */
static struct letter *take(struct mailbox *box, const struct awaited *a)
{
    struct letter **l = &box->letters, *found;
    while (*l && ((*l)->from != a->from || (*l)->number != a->number))
        l = &(*l)->next;
    found = *l;
    if (found)
        *l = found->next;
    return found;
}

/* Takes all that has come. Where something is missing it sleeps until there is news, once. */
static int waits_for(struct exchange *x)
{
    struct mailbox *box = mailbox_of(x->comm, x->comm->rank);
    struct awaited **a = (struct awaited **)&x->own;
    bool slept = false;
    while (*a) {
        struct awaited *asked = *a;
        pthread_mutex_lock(&box->lock);
        struct letter *letter = take(box, asked);
        if (!letter && !slept) {
            wait_for_news(&box->news, &box->lock);
            letter = take(box, asked);
            slept = true;
        }
        pthread_mutex_unlock(&box->lock);
        if (!letter) {
            a = &asked->next;
            continue;
        }
        open_letter(x->comm, asked, letter);
        *a = asked->next;
        free(letter), free(asked);
    }
    return x->own ? ((struct awaited *)x->own)->from : -1;
}

/* ---- Meetings, to which each rank brings numbers ---- */

/* A rank that has not come to this meeting, or -1. */
static int misses(struct exchange *x)
{
    struct threads *t = x->comm->threads;
    long meeting = t->came[x->comm->rank];
    int missing = -1;
    pthread_mutex_lock(&t->lock);
    if (t->met < meeting)
        wait_for_news(&t->news, &t->lock);
    for (int r = 0; t->met < meeting && missing < 0; r++)
        missing = t->came[r] < meeting ? r : -1;
    pthread_mutex_unlock(&t->lock);
    return missing;
}

static const struct engine meetings = {.waits_for = misses};

static double *numbers_at(struct threads *t, long meeting, int rank)
{
    return t->numbers + ((size_t)(meeting % 2) * (size_t)t->ranks + (size_t)rank) * NUMBERS;
}

static void all(struct comm *comm, const double *mine, int count, double *all)
{
    struct threads *t = comm->threads;
    int from = 0;
    do {
        struct exchange x = {comm, &meetings, "numbers of all ranks", NULL};
        long meeting = t->came[comm->rank] + 1; /* nobody else changes it */
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

static const struct engine threads = {.name = "copies",
                                      .send = send,
                                      .receive = receive,
                                      .broadcast = broadcast,
                                      .reduce = reduce,
                                      .waits_for = waits_for,
                                      .all = all};

/* ---- The threads ---- */

struct thread {
    pthread_t thread;
    struct comm comm;
    int (*run)(struct comm *comm, void *what);
    void *what;
    int status;
};

static void open_threads(struct threads *t, int ranks)
{
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
    }
}

static void close_threads(struct threads *t)
{
    for (int r = 0; r < t->ranks; r++)
        free(t->mailboxes[r].sent), free(t->mailboxes[r].expected);
    free(t->mailboxes), free(t->came), free(t->numbers);
}

static void *run_rank(void *what)
{
    struct thread *t = what;
    comm_enter(&t->comm);
    comm_meet(&t->comm);
    t->status = t->run(&t->comm, t->what);
    return NULL;
}

int comm_run_threads(int ranks, double limit, int (*run)(struct comm *comm, void *what),
                     void *what)
{
    struct threads shared;
    struct thread *each = memory((size_t)ranks * sizeof *each);
    int status = 0;
    open_threads(&shared, ranks);
    for (int r = 0; r < ranks; r++) {
        struct comm comm = {.rank = r,
                            .ranks = ranks,
                            .limit = limit,
                            .engine = &threads,
                            .place = &place_host,
                            .threads = &shared};
        each[r] = (struct thread){.comm = comm, .run = run, .what = what};
    }
    for (int r = 0; r < ranks; r++) {
        int failed = pthread_create(&each[r].thread, NULL, run_rank, &each[r]);
        if (failed)
            comm_abort(&each[r].comm, "its thread cannot be started: %s", strerror(failed));
    }
    for (int r = 0; r < ranks; r++) {
        pthread_join(each[r].thread, NULL);
        status = each[r].status > status ? each[r].status : status;
    }
    close_threads(&shared);
    free(each);
    return status;
}
