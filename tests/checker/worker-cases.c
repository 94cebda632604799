/* SPDX-License-Identifier: MIT */
/** @file worker-cases.c
 * What a call in a worker can do, and what the checker learns of it (common/device/worker.h).
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/device/worker.h"

static int problems;

static void expect(int right, const char *what)
{
    problems += !right;
    printf("%s: %s\n", right ? "ok" : "PROBLEM", what);
}

static int calls;
static char room[1 << 18];

/* A call: what it does, and what it leaves. */
struct job {
    enum {
        WRITE,
        COUNT,
        FILL,
        TURN,
        READ_OTHER,
        LEAVE,
        CRASH,
        READ_CLOSED,
        MAKE_THREAD,
        MAKE_CHILD,
        MAKE_ORPHAN,
        HANDLE
    } what;
    int left;
    int *shared, *other; /* the worker knows no variable that was set later */
};

static void on_signal(int number) { (void)number; }

static void *turn(void *none)
{
    for (volatile long turn = 0; turn < 100000000; turn++)
        continue;
    return none;
}

static void *turn_on(void *none)
{
    while (!turn(none))
        continue;
    return none;
}

/* A process that goes on; with `orphan` its parent ends. */
static void make_process(bool orphan)
{
    pid_t first = fork();
    if (first == 0 && (!orphan || fork() == 0))
        alarm(2), turn_on(NULL);
    if (first == 0)
        _exit(0);
    if (orphan)
        waitpid(first, NULL, 0);
}

static void work(void *what)
{
    struct job *job = what;
    pthread_t thread;
    if (job->what == WRITE)
        job->shared[0] = job->left;
    if (job->what == COUNT)
        job->left = ++calls;
    if (job->what == FILL)
        memset(room, 1, sizeof room);
    if (job->what == TURN)
        turn(NULL);
    if (job->what == READ_OTHER)
        job->left = job->other[0];
    if (job->what == LEAVE)
        exit(7);
    if (job->what == CRASH)
        abort();
    if (job->what == READ_CLOSED) {
        worker_close();
        job->left = job->shared[0];
    }
    if (job->what == MAKE_THREAD)
        pthread_create(&thread, NULL, turn_on, NULL);
    if (job->what == MAKE_CHILD || job->what == MAKE_ORPHAN)
        make_process(job->what == MAKE_ORPHAN);
    if (job->what == HANDLE)
        signal(SIGUSR1, on_signal);
}

static struct call_used call(struct job *job)
{
    const struct call_memory memory = {job->shared, 4096};
    return worker_call(work, job, sizeof *job, &memory, 1);
}

/* How the checker's process ends after a call that does this; 0 if nothing is left by it. */
static int status_after(struct job job)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!worker_start())
            _exit(99);
        job.shared = worker_allocate(64, 4096), job.other = worker_allocate(64, 4096);
        job.shared[0] = job.other[0] = 1;
        call(&job);
        const char *left = worker_left();
        printf("%s\n", left ? left : "nothing is left");
        fflush(stdout);
        _exit(left ? 5 : 0);
    }
    waitpid(child, &status, 0);
    return status;
}

static bool ends_with(int job, int status)
{
    int found = status_after((struct job){.what = job});
    return WIFEXITED(found) && WEXITSTATUS(found) == status;
}

int main(void)
{
    struct job job = {WRITE, 5, NULL, NULL};
    expect(ends_with(LEAVE, 7), "its end is the checker's end");
    int status = status_after((struct job){.what = CRASH});
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "its signal is the checker's");
    status = status_after((struct job){.what = READ_OTHER});
    expect(status != 0, "other shared memory is closed"); /* a sanitizer makes an exit of it */
    status = status_after((struct job){.what = READ_CLOSED});
    expect(status != 0, "closed memory is closed");
    expect(ends_with(WRITE, 0), "a call returns");
    expect(ends_with(MAKE_THREAD, 5), "a thread that goes on is noticed");
    expect(ends_with(MAKE_CHILD, 5), "so is a process");
    expect(ends_with(MAKE_ORPHAN, 5), "and one of which the parent has ended");
    expect(ends_with(HANDLE, 5), "and the handler of a signal");

    expect(!worker_is_there() && worker_has(&job, 1) && !worker_open(), "calls are direct");
    expect(worker_start() && worker_is_there(), "a worker is started");
    int *shared = worker_allocate(64, 4096);
    job.shared = shared, shared[0] = 1, calls = 3;
    struct call_used used = call(&job);
    expect(shared[0] == 5, "what it writes into its memory arrives");
    expect(used.outside < sizeof room && !worker_left(), "it has written little else");
    job.what = COUNT;
    call(&job), call(&job);
    expect(job.left == 2 && calls == 3, "it knows nothing of the checker");
    job.what = FILL;
    memset(room, 0, sizeof room);
    expect(call(&job).outside >= sizeof room && room[9] == 0, "other memory is counted");
    double short_ms = call(&job).processor_ms;
    job.what = TURN;
    expect(call(&job).processor_ms > short_ms, "its time is measured");
    worker_release(shared);
    expect(worker_allocate(64, 4096) == (void *)shared, "memory is used again");
    return problems > 0;
}
