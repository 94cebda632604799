/* SPDX-License-Identifier: MIT */
/** @file worker-cases.c
 * What a call in a worker can do, and what the checker learns of it (exercises/worker.h).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/device/caller.h"
#include "exercises/worker.h"

static int problems;

static void expect(int right, const char *what)
{
    problems += !right;
    printf("%s: %s\n", right ? "ok" : "PROBLEM", what);
}

static int calls;
static char room[1 << 18];

static void prepare(void) {}

/* A call: what it does, and what it leaves. */
struct job {
    enum { WRITE, COUNT, FILL, TURN, READ_OTHER, LEAVE, CRASH, READ_CLOSED } what;
    int left;
    int *shared, *other; /* a worker knows no variable that was set later */
};

static void work(void *what)
{
    struct job *job = what;
    if (job->what == WRITE)
        job->shared[0] = job->left;
    if (job->what == COUNT)
        job->left = ++calls;
    if (job->what == FILL)
        memset(room, 1, sizeof room);
    for (volatile long turn = 0; job->what == TURN && turn < 100000000; turn++)
        continue;
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
}

static struct call_used call(struct job *job)
{
    const struct call_memory memory = {job->shared, 4096};
    return caller.apart(work, job, sizeof *job, &memory, 1);
}

/* How a process ends whose call does this. */
static int status_after(struct job job)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!worker_start(prepare))
            _exit(99);
        job.shared = caller.allocate(64, 4096), job.other = caller.allocate(64, 4096);
        job.shared[0] = job.other[0] = 1;
        call(&job);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

/* One process for all calls: how the checker's process ends after a call that does this. */
static int status_of_one(struct job job)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int which = worker_fork();
        if (which == 0)
            worker_serve();
        calls = 3;
        caller.apart(work, &job, sizeof job, NULL, 0);
        caller.apart(work, &job, sizeof job, NULL, 0);
        _exit(which == 1 && calls == 3 ? job.left : 99);
    }
    waitpid(child, &status, 0);
    return status;
}

int main(void)
{
    struct job job = {WRITE, 5, NULL, NULL};
    int status = status_after((struct job){.what = LEAVE});
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "its end is the checker's end");
    status = status_after((struct job){.what = CRASH});
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "its signal is the checker's");
    status = status_after((struct job){.what = READ_OTHER});
    expect(status != 0, "other shared memory is gone"); /* a sanitizer makes an exit of it */
    status = status_after((struct job){.what = READ_CLOSED});
    expect(status != 0, "closed memory is closed");
    expect(status_after((struct job){.what = WRITE}) == 0, "a call returns");

    status = status_of_one((struct job){.what = COUNT});
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "one process keeps what calls leave");
    status = status_of_one((struct job){.what = LEAVE});
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "and its end is the checker's end");
    expect(!caller.apart && worker_has(&job, 1) && !worker_open(), "calls are direct");
    expect(worker_start(prepare) && caller.apart, "a starter is started");
    int *shared = caller.allocate(64, 4096);
    job.shared = shared, shared[0] = 1, calls = 3;
    struct call_used used = call(&job);
    expect(shared[0] == 5, "what it writes into its memory arrives");
    expect(used.outside < sizeof room && !used.threads, "it has written little else");
    job.what = COUNT;
    call(&job), call(&job);
    expect(job.left == 1 && calls == 3, "it knows nothing of the checker or of other calls");
    job.what = FILL;
    expect(call(&job).outside >= sizeof room && room[9] == 0, "other memory is counted");
    double short_ms = call(&job).ms;
    job.what = TURN;
    expect(call(&job).ms > short_ms, "its time is measured");
    caller.release(shared);
    return problems > 0;
}
