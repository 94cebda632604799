/* SPDX-License-Identifier: MIT */
/** @file comm.c
 * What all engines share: counters, the log, the limit of every wait, and a look at who has
 * died.
 */
#include "comm.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/matrix/random.h"
#include "common/device/timer.h"

/* ---- A rank that leaves ---- */

/* From comm_enter() to comm_leave(); a handler can only look here. It runs in the thread that
 * has called exit(). */
static _Thread_local const struct comm *inside;

/* Ranks that are threads of one process may fail at the same time. The first one speaks and
   ends the process, the others wait for that. */
static void speak_alone(void)
{
    static atomic_flag spoken = ATOMIC_FLAG_INIT;
    static _Thread_local bool is_me;
    while (!is_me && atomic_flag_test_and_set(&spoken))
        pause();
    is_me = true;
}

/* A failed call of CUDA or cuBLAS ends its process wherever it is. For the run of all ranks
   that is not a wrong result: the others cannot go on. */
static void left_early(void)
{
    if (!inside)
        return;
    speak_alone();
    fflush(stdout);
    fprintf(stderr,
            "rank %d of %d (process %ld) has failed, the reason is above; the run of all ranks "
            "is ended\n",
            inside->rank, inside->ranks, (long)getpid());
    _exit(EXIT_RESOURCE);
}

void comm_enter(const struct comm *comm)
{
    static _Thread_local bool noted; /* once a thread: each exit() takes one of the handlers */
    inside = comm;
    if (!noted)
        noted = atexit(left_early) == 0;
}

void comm_leave(void) { inside = NULL; }

/* ---- Waiting ---- */

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
    double mine[2] = {this_host(), (double)getpid()};
    struct peer *peers = malloc((size_t)comm->ranks * sizeof *peers);
    if (!peers)
        comm_abort(comm, "no memory for the list of %d ranks", comm->ranks);
    comm_all(comm, mine, 2, (double *)peers);
    comm->peers = peers; /* from now on a wait looks at them */
}

/* A process of this host that is no longer there. What has died on another host shows only when
   the limit is over, or when mpirun tells. */
static bool has_died(const struct comm *comm, int rank)
{
    const struct peer *peer = comm->peers ? &comm->peers[rank] : NULL;
    return peer && peer->host == comm->peers[comm->rank].host &&
           kill((pid_t)peer->process, 0) != 0 && errno == ESRCH;
}

/* It stands behind the process's name, which may have blanks and brackets. */
char comm_process_state(long process)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    const char *end = file && fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    if (file)
        fclose(file);
    return end && end[1] ? end[2] : '?';
}

/* The first process of this host that somebody has stopped, or -1. */
static int stopped_rank(const struct comm *comm)
{
    for (int rank = 0; rank < comm->ranks; rank++) {
        bool here = comm->peers[rank].host == comm->peers[comm->rank].host;
        char state = here ? comm_process_state((long)comm->peers[rank].process) : '?';
        if (state == 'T' || state == 't')
            return rank;
    }
    return -1;
}

/* The limit is over: says why, as far as one can see it from here. */
static void waited_too_long(struct exchange *x, int rank)
{
    struct comm *comm = x->comm;
    int stopped = comm->peers ? stopped_rank(comm) : -1;
    if (stopped >= 0)
        comm_abort(comm,
                   "waited %.0f s for \"%s\" of rank %d. Rank %d (process %.0f) is stopped, by "
                   "kill -STOP or a debugger: let it run, or raise --limit",
                   comm->limit, x->what, rank, stopped, comm->peers[stopped].process);
    comm_abort(comm,
               "waited %.0f s for rank %d, for \"%s\". Does it hang? --limit sets how long a "
               "wait may take",
               comm->limit, rank, x->what);
}

/* The first rank that lives tells of the dead one and ends the run. The others give it a
 * second. */
static bool speaks_first(const struct comm *comm, int dead)
{
    const struct timespec second = {1, 0};
    if (comm->rank != (dead == 0))
        nanosleep(&second, NULL);
    return true;
}

/// [wait]
/* Asks again and again whether everything has arrived: at once at first, then every 50
   microseconds, so that ranks which share a processor let each other work. Five times a second
   it looks whether one of the processes has died, and at last the limit ends the run. */
void comm_wait(struct exchange *x)
{
    const struct comm *comm = x->comm;
    const struct timespec pause = {0, 50000};
    double begun = timer_now(), look = begun + 200;
    for (int rank; (rank = x->engine->waits_for(x)) >= 0;) {
        double now = timer_now();
        if (now > look) {
            for (int r = 0; r < comm->ranks; r++)
                if (has_died(comm, r) && speaks_first(comm, r))
                    comm_abort(x->comm,
                               "rank %d (process %.0f) has died: no \"%s\" will come. What it "
                               "said last stands above",
                               r, comm->peers[r].process, x->what);
            look = now + 200;
        }
        if (now - begun > 1000 * comm->limit)
            waited_too_long(x, rank);
        if (now - begun > 1)
            nanosleep(&pause, NULL);
    }
}
/// [wait]

/* What a thread waits for in a call that can only block, and the alarm that ends it. */
struct watch {
    const struct comm *comm;
    const char *what; /* NULL: nothing */
    timer_t alarm;
};
static _Thread_local struct watch watch;

/* In a thread that the system makes when the alarm rings: the one that waits cannot look who is
   missing. Of processes the state shows; one that hangs and is not stopped has been named
   before the call, see group_open(). */
static void too_late(union sigval value)
{
    const struct watch *w = value.sival_ptr; /* of the thread that waits */
    const struct comm *comm = w->comm;
    const char *what = w->what;
    int stopped = what && comm->peers ? stopped_rank(comm) : -1;
    if (!what)
        return;
    char advice[160] = "Do all ranks run? --limit sets how long a wait may take";
    if (stopped >= 0)
        snprintf(advice, sizeof advice,
                 "Rank %d (process %.0f) is stopped, by kill -STOP or a debugger: let it run, "
                 "or raise --limit",
                 stopped, comm->peers[stopped].process);
    speak_alone();
    fprintf(stderr, "rank %d of %d (process %ld), %s: no answer within the limit. %s\n",
            comm->rank, comm->ranks, (long)getpid(), what,
            advice); /* at once: other ranks write there, too */
    _exit(EXIT_RESOURCE);
}

void comm_watch(struct comm *comm, const char *what)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = too_late,
                             .sigev_value.sival_ptr = &watch};
    struct itimerspec time = {.it_value.tv_sec = (time_t)comm->limit + 1};
    if (watch.what)
        timer_delete(watch.alarm);
    watch.what = NULL;
    if (!what)
        return;
    if (timer_create(CLOCK_MONOTONIC, &event, &watch.alarm) ||
        timer_settime(watch.alarm, 0, &time, NULL))
        comm_abort(comm, "no alarm for \"%s\": %s", what, strerror(errno));
    watch.comm = comm;
    watch.what = what;
}

void comm_abort(struct comm *comm, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    speak_alone();
    fflush(stdout);
    fprintf(stderr, "rank %d of %d (process %ld): %s\n", comm->rank, comm->ranks,
            (long)getpid(), text);
    comm_end_all(comm, EXIT_RESOURCE);
}

/* ---- Small numbers of all ranks ---- */

void comm_all(struct comm *comm, const double *mine, int count, double *all)
{
    comm->engine->all(comm, mine, count, all);
}

double *comm_gather(struct comm *comm, const double *mine, int count, const char *what)
{
    double *all = malloc((size_t)count * (size_t)comm->ranks * sizeof *all);
    if (!all)
        comm_abort(comm, "no memory for %d %s", count * comm->ranks, what);
    comm_all(comm, mine, count, all);
    return all;
}

double comm_largest(struct comm *comm, double value)
{
    double *all = comm_gather(comm, &value, 1, "numbers"), largest = value;
    for (int r = 0; r < comm->ranks; r++)
        largest = all[r] > largest || all[r] != all[r] ? all[r]
                                                       : largest; /* a NaN is largest of all */
    free(all);
    return largest;
}

void comm_sum(struct comm *comm, double *numbers, long count)
{
    enum { PIECE = 4096 };
    double *all = malloc((size_t)comm->ranks * PIECE * sizeof *all);
    if (!all)
        comm_abort(comm, "no memory for %d numbers of all ranks", PIECE);
    for (long from = 0; from < count; from += PIECE) {
        int piece = (int)smaller(PIECE, count - from);
        comm_all(comm, numbers + from, piece, all);
        for (int i = 0; i < piece; i++) {
            double sum = 0;
            for (int r = 0; r < comm->ranks; r++)
                sum += all[r * piece + i];
            numbers[from + i] = sum;
        }
    }
    free(all);
}

/* ---- Counting, and handing on to the engine ---- */

void comm_forget(struct comm *comm)
{
    comm->sent = comm->received = (struct traffic){0, 0};
    comm->logged = comm->exchanges = 0;
}

void group_open(struct comm *comm, struct group *group, const int *members, int count,
                int color)
{
    *group = (struct group){count, 0, members, NULL};
    while (members[group->mine] != comm->rank)
        group->mine++;
    comm_largest(comm, 0); /* who does not come is named here: making a group can only block */
    if (comm->engine->open_group)
        comm->engine->open_group(comm, group, color);
}

void group_close(struct comm *comm, struct group *group)
{
    comm_largest(comm, 0); /* as above */
    if (comm->engine->close_group)
        comm->engine->close_group(comm, group);
}

static double words_of(struct block block) { return (double)block.rows * (double)block.cols; }

static void count_sent(struct exchange *x, struct block block, int messages)
{
    x->comm->sent.messages += messages;
    x->comm->sent.words += messages * words_of(block);
}

static void count_received(struct exchange *x, struct block block, int from)
{
    struct comm *comm = x->comm;
    comm->received.messages++;
    comm->received.words += words_of(block);
    if (!comm->keep_log)
        return;
    struct message *log = realloc(comm->log, ((size_t)comm->logged + 1) * sizeof *log);
    if (!log)
        comm_abort(comm, "no memory for the log of messages");
    log[comm->logged++] = (struct message){from, comm->exchanges - 1, words_of(block), x->what};
    comm->log = log;
}

void exchange_begin(struct exchange *x, struct comm *comm, const char *what)
{
    *x = (struct exchange){comm, comm->engine, what, NULL};
    if (comm->apart)
        comm_largest(comm, 0); /* all have multiplied what they had */
    comm->exchanges++;
    if (x->engine->begin)
        x->engine->begin(x);
}

void exchange_send(struct exchange *x, struct block block, int to)
{
    if (words_of(block) == 0)
        return;
    count_sent(x, block, 1);
    x->engine->send(x, block, to);
}

void exchange_receive(struct exchange *x, struct block block, int from)
{
    if (words_of(block) == 0)
        return;
    count_received(x, block, from);
    x->engine->receive(x, block, from);
}

void exchange_broadcast(struct exchange *x, const struct group *group, struct block block,
                        int root)
{
    if (words_of(block) == 0 || group->count == 1)
        return;
    if (group->mine == root)
        count_sent(x, block, group->count - 1);
    else
        count_received(x, block, group->members[root]);
    x->engine->broadcast(x, group, block, root);
}

void exchange_reduce(struct exchange *x, const struct group *group, struct block block,
                     int root)
{
    if (words_of(block) == 0 || group->count == 1)
        return;
    if (group->mine != root)
        count_sent(x, block, 1);
    for (int i = 0; group->mine == root && i < group->count; i++)
        if (i != root)
            count_received(x, block, group->members[i]);
    x->engine->reduce(x, group, block, root);
}

void exchange_start(struct exchange *x)
{
    if (x->engine->start)
        x->engine->start(x);
    if (x->comm->apart)
        comm_wait(x);
}

void exchange_end(struct exchange *x)
{
    comm_wait(x);
    if (x->engine->end)
        x->engine->end(x);
}
