/* SPDX-License-Identifier: MIT */
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_HELPERS = 1023, MOST_BYTES = 512 };

struct call {
    team_job *job;
    long round; /* the job's first ticket */
    _Alignas(16) char what[MOST_BYTES];
};

/* The team of the whole program. */
static struct {
    atomic_flag busy;
    struct tickets tickets; /* they run on from job to job */
    struct call call;
    _Alignas(64) atomic_int seats; /* how many helpers may still join */
    atomic_int joining;            /* how many read the call at this moment */
    sem_t calls;
    int helpers;
} team = {.busy = ATOMIC_FLAG_INIT};

/* A hint for the processor: this loop waits. */
static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/// [tickets]
long team_take(struct member *m, long pieces)
{
    long end = m->round + pieces, ticket = atomic_load(&m->tickets->taken);
    while (ticket < end)
        if (atomic_compare_exchange_weak(&m->tickets->taken, &ticket, ticket + 1))
            return ticket - m->round;
    m->round = end;
    return -1;
}

void team_finish(struct member *m) { atomic_fetch_add(&m->tickets->done, 1); }

/* A thread that has waited for some microseconds yields its core: with more threads than cores,
 * the one that it waits for may need it. */
void team_wait(const struct member *m)
{
    enum { TURNS = 500 };
    for (int turns = 0; atomic_load(&m->tickets->done) < m->round; turns++)
        turns < TURNS ? relax() : (void)sched_yield();
}
/// [tickets]

/* Takes a seat if there is one, and copies the call. */
static bool join(struct call *call)
{
    atomic_fetch_add(&team.joining, 1); /* before the look at the seats: see team_run() */
    int seats = atomic_load(&team.seats);
    while (seats > 0 && !atomic_compare_exchange_weak(&team.seats, &seats, seats - 1))
        ;
    if (seats > 0)
        *call = team.call;
    atomic_fetch_sub(&team.joining, 1);
    return seats > 0;
}

/* A helper stays awake for some tens of microseconds after a job: the next one often comes at
   once. Then it sleeps, and frees its core. */
static void *help(void *unused)
{
    enum { TURNS = 1000 };
    struct call call;
    for (;;) {
        int turns = 0;
        while (turns < TURNS && atomic_load(&team.seats) <= 0)
            turns++, relax();
        turns < TURNS ? sem_trywait(&team.calls) : sem_wait(&team.calls);
        if (!join(&call))
            continue;
        struct member member = {&team.tickets, call.round};
        call.job(&member, call.what);
    }
    return unused;
}

/* Makes helpers up to this number, or as many as the system allows; returns their number. */
static int hire(int helpers)
{
    pthread_t thread;
    if (team.helpers == 0)
        sem_init(&team.calls, 0, 0);
    while (team.helpers < helpers && team.helpers < MOST_HELPERS &&
           pthread_create(&thread, NULL, help, NULL) == 0) {
        pthread_detach(thread);
        team.helpers++;
    }
    return team.helpers < helpers ? team.helpers : helpers;
}

/// [team]
void team_run(int threads, team_job *job, const void *what, size_t bytes)
{
    struct tickets alone = {0};
    struct member leader = {&alone, 0};
    if (threads <= 1 || bytes > MOST_BYTES || atomic_flag_test_and_set(&team.busy)) {
        job(&leader, what);
        return;
    }
    int seats = hire(threads - 1);
    while (atomic_load(&team.joining)) /* late for the last job: they still look */
        sched_yield();
    leader = (struct member){&team.tickets, atomic_load(&team.tickets.taken)};
    team.call = (struct call){job, leader.round, {0}};
    memcpy(team.call.what, what, bytes);
    atomic_store(&team.seats, seats);
    for (int i = 0; i < seats; i++)
        sem_post(&team.calls);
    job(&leader, what);
    atomic_store(&team.seats, 0); /* helpers that come now are too late */
    team_wait(&leader);
    atomic_flag_clear(&team.busy);
}
/// [team]

/* ---- A loop ---- */

struct loop {
    long count;
    void (*piece)(long i, const void *what);
    _Alignas(16) char what[MOST_BYTES - 32];
};

static void run_loop(struct member *member, const void *what)
{
    const struct loop *loop = what;
    for (long i; (i = team_take(member, loop->count)) >= 0; team_finish(member))
        loop->piece(i, loop->what);
}

void team_for(int threads, long count, void (*piece)(long i, const void *what),
              const void *what, size_t bytes)
{
    struct loop loop = {count, piece, {0}};
    memcpy(loop.what, what, bytes);
    team_run(threads, run_loop, &loop, sizeof loop);
}
