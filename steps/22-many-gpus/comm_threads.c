/**
 * @file comm_threads.c
 * Step 22 on more ranks than this computer could start as processes: each rank is a thread of this one, and
 * what comm_mpi.c does is done by lists of messages. Everything else is the step's own code, with its checks:
 * integers element by element, Freivalds' vectors, guard cells, and every rank's counts beside the model.
 *
 *     threads RANKS VARIANT M N K [LEVELS]      exit status 0 right, 1 wrong, 2 bad usage, 3 it cannot run
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "steps/22-many-gpus/rank_trial.h"

/* ---- Messages between threads ---- */

/* A block's elements on their way. Those between two ranks are numbered as they are sent, and taken by the
   receive of the same number. */
struct letter {
    struct letter *next;
    int from;
    long number;
    real elements[];
};

/* What a rank has: letters that have come for it, and how many it has sent to and expects from each other. */
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

static int ranks;
static struct mailbox *mailboxes;
static pthread_barrier_t meeting;
static double *numbers; /* of comm_all(): room for NUMBERS of every rank */
enum { NUMBERS = 4096 };

static void *memory(size_t bytes)
{
    void *block = calloc(1, bytes);
    if (!block) {
        fprintf(stderr, "threads: no memory for %zu bytes\n", bytes);
        exit(EXIT_RESOURCE);
    }
    return block;
}

static void begin(struct exchange *x)
{
    x->own = NULL;
}

static void send(struct exchange *x, struct block block, int to)
{
    struct mailbox *box = &mailboxes[to];
    struct letter *letter = memory(sizeof *letter + (size_t)(block.rows * block.cols) * sizeof(real));
    letter->from = x->comm->rank;
    letter->number = mailboxes[x->comm->rank].sent[to]++;
    for (long i = 0; i < block.rows; i++)
        memcpy(letter->elements + i * block.cols, block.at + i * block.ld, (size_t)block.cols * sizeof(real));
    pthread_mutex_lock(&box->lock);
    letter->next = box->letters;
    box->letters = letter;
    pthread_cond_signal(&box->news);
    pthread_mutex_unlock(&box->lock);
}

static void await(struct exchange *x, struct block block, int from, bool is_added)
{
    struct awaited *a = memory(sizeof *a);
    *a = (struct awaited){x->own, block, from, mailboxes[x->comm->rank].expected[from]++, is_added};
    x->own = a;
}

static void receive(struct exchange *x, struct block block, int from)
{
    await(x, block, from, false);
}

static void broadcast(struct exchange *x, const struct group *group, struct block block, int root)
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

static void start(struct exchange *x)
{
    (void)x;
}

static void open_letter(const struct awaited *a, const struct letter *letter)
{
    for (long i = 0; i < a->block.rows; i++)
        for (long j = 0; j < a->block.cols; j++) {
            real *to = &a->block.at[i * a->block.ld + j];
            *to = (a->is_added ? *to : 0) + letter->elements[i * a->block.cols + j];
        }
}

/* Takes what has come for this exchange; the rank of what has not, or -1. */
static int take(struct exchange *x, struct mailbox *box)
{
    struct awaited **a = (struct awaited **)&x->own;
    int missing = -1;
    while (*a) {
        struct awaited *asked = *a;
        struct letter **l = &box->letters;
        while (*l && ((*l)->from != asked->from || (*l)->number != asked->number))
            l = &(*l)->next;
        if (*l) {
            struct letter *letter = *l;
            open_letter(asked, letter);
            *l = letter->next, *a = asked->next;
            free(letter), free(asked);
        } else {
            missing = asked->from;
            a = &asked->next;
        }
    }
    return missing;
}

/* Where something is missing it sleeps until there is news, 20 ms at most. */
static int waits_for(struct exchange *x)
{
    struct mailbox *box = &mailboxes[x->comm->rank];
    pthread_mutex_lock(&box->lock);
    int missing = take(x, box);
    if (missing >= 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&box->news, &box->lock, &until);
        missing = take(x, box);
    }
    pthread_mutex_unlock(&box->lock);
    return missing;
}

static void end(struct exchange *x)
{
    (void)x;
}

static void open_group(struct comm *comm, struct group *group, int color)
{
    (void)comm, (void)group, (void)color;
}

static void close_group(struct comm *comm, struct group *group)
{
    (void)comm, (void)group;
}

static const struct engine threads = {"threads", begin,     send, receive,    broadcast,  reduce,
                                      start,     waits_for, end,  open_group, close_group};

void comm_all(struct comm *comm, const double *mine, int count, double *all)
{
    if (count > NUMBERS)
        comm_abort(comm, "%d numbers of a rank, and there is room for %d", count, NUMBERS);
    memcpy(numbers + (size_t)comm->rank * NUMBERS, mine, (size_t)count * sizeof *mine);
    pthread_barrier_wait(&meeting);
    for (int r = 0; r < ranks; r++)
        memcpy(all + (size_t)r * (size_t)count, numbers + (size_t)r * NUMBERS, (size_t)count * sizeof *all);
    pthread_barrier_wait(&meeting);
}

void comm_end_all(struct comm *comm, int status)
{
    (void)comm;
    _exit(status);
}

/* ---- A leaf, and the runs ---- */

static void multiply_simply(const struct problem *p, void *workspace)
{
    const real *a = p->a, *b = p->b;
    real *c = p->c;
    (void)workspace;
    for (long i = 0; i < p->m; i++)
        for (long j = 0; j < p->n; j++) {
            real sum = p->accumulate ? c[i * p->ldc + j] : 0;
            for (long l = 0; l < p->k; l++)
                sum += a[i * p->lda + l] * b[l * p->ldb + j];
            c[i * p->ldc + j] = sum;
        }
}

const struct place *const place_of_leaves = &place_host;
const struct variant place_leaves[] = {{.name = "simple", .multiply = multiply_simply}, {0}};
static const struct step step = {.name = "22-many-gpus", .leaves = place_leaves};

struct thread {
    pthread_t thread;
    const struct options *options;
    struct plan plan;
    struct comm comm;
    struct rank_trial trial;
    struct outcome_on_ranks outcome;
};

static void *run_rank(void *what)
{
    struct thread *t = what;
    rank_trial_open(&t->trial, t->options, &t->comm, &t->plan, NULL);
    rank_trial_judge(&t->trial, &t->outcome);
    rank_trial_close(&t->trial);
    return NULL;
}

static void open_mailboxes(void)
{
    mailboxes = memory((size_t)ranks * sizeof *mailboxes);
    numbers = memory((size_t)ranks * NUMBERS * sizeof *numbers);
    pthread_barrier_init(&meeting, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++) {
        pthread_mutex_init(&mailboxes[r].lock, NULL);
        pthread_cond_init(&mailboxes[r].news, NULL);
        mailboxes[r].sent = memory((size_t)ranks * sizeof(long));
        mailboxes[r].expected = memory((size_t)ranks * sizeof(long));
    }
}

static void close_mailboxes(void)
{
    for (int r = 0; r < ranks; r++)
        free(mailboxes[r].sent), free(mailboxes[r].expected);
    free(mailboxes), free(numbers);
    pthread_barrier_destroy(&meeting);
}

static int run_all(const struct options *o, const struct plan *plan)
{
    struct thread *all = memory((size_t)ranks * sizeof *all);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 19);
    for (int r = 0; r < ranks; r++) {
        struct thread *t = &all[r];
        t->options = o, t->plan = *plan;
        t->comm = (struct comm){.rank = r, .ranks = ranks, .limit = 120, .engine = &threads, .place = &place_host};
        int failed = pthread_create(&t->thread, &small, run_rank, t);
        if (failed) {
            fprintf(stderr, "threads: thread %d of %d cannot start: %s\n", r, ranks, strerror(failed));
            exit(EXIT_RESOURCE);
        }
    }
    for (int r = 0; r < ranks; r++)
        pthread_join(all[r].thread, NULL);
    const struct outcome_on_ranks *first = &all[0].outcome;
    printf("%s on %d ranks, %ld x %ld x %ld: %s%s: %.0f words in %.0f messages, the model %.0f in %.0f\n", o->variant,
           ranks, o->m, o->n, o->k, first->passed ? "right" : "WRONG: ", first->passed ? "" : first->reason,
           first->words, first->messages, first->model_words, first->model_messages);
    bool right = first->passed && first->judged_exactly;
    free(all);
    return right ? EXIT_RIGHT : EXIT_WRONG;
}

int main(int argc, char **argv)
{
    static const char *const names[VARIANTS] = {"summa",        "cannon", "strassen-bfs",       "strassen-dfs",
                                                "caps",         "strassen-over-summa", "caps-groups", "summa-short"};
    int variant = 0;
    while (argc >= 6 && variant < VARIANTS && strcmp(argv[2], names[variant]) != 0)
        variant++;
    if (argc < 6 || argc > 7 || variant == VARIANTS || (ranks = atoi(argv[1])) < 1 || ranks > MOST_RANKS) {
        fprintf(stderr, "usage: threads RANKS VARIANT M N K [LEVELS]\n");
        return EXIT_USAGE;
    }
    struct options o = {.step = &step, .variant = names[variant], .m = atol(argv[3]), .n = atol(argv[4]),
                        .k = atol(argv[5]), .levels = argc == 7 ? atoi(argv[6]) : -1, .seed = 1, .threads = 1,
                        .untimed = 1};
    struct plan plan;
    const char *why = plan_for_variant(&plan, &o, variant, ranks, 0);
    if (why) {
        fprintf(stderr, "%s on %d ranks: %s\n", names[variant], ranks, why);
        return EXIT_RESOURCE;
    }
    open_mailboxes();
    int status = run_all(&o, &plan);
    close_mailboxes();
    return status;
}
