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
    void (*what)(struct job *job);
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

static void write_left(struct job *job) { job->shared[0] = job->left; }
static void count(struct job *job) { job->left = ++calls; }
static void fill(struct job *job) { (void)job, memset(room, 1, sizeof room); }
static void compute(struct job *job) { (void)job, turn(NULL); }
static void read_other(struct job *job) { job->left = job->other[0]; }
static void leave(struct job *job) { (void)job, exit(7); }
static void crash(struct job *job) { (void)job, abort(); }
static void read_closed(struct job *job) { worker_close(), job->left = job->shared[0]; }
static void ask(struct job *job)
{
    if (!worker_ask(&job->left, sizeof job->left))
        job->left = -1;
}
static void make_child(struct job *job) { (void)job, make_process(false); }
static void make_orphan(struct job *job) { (void)job, make_process(true); }
static void handle(struct job *job) { (void)job, signal(SIGUSR1, on_signal); }

static void make_thread(struct job *job)
{
    pthread_t thread;
    (void)job;
    pthread_create(&thread, NULL, turn_on, NULL);
}

/* What the checker answers. */
static void add_calls(void *question) { *(int *)question += calls; }

static void work(void *job) { ((struct job *)job)->what(job); }

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

static bool ends_with(void (*what)(struct job *job), int status)
{
    int found = status_after((struct job){.what = what});
    return WIFEXITED(found) && WEXITSTATUS(found) == status;
}

int main(void)
{
    struct job job = {write_left, 5, NULL, NULL};
    expect(ends_with(leave, 7), "its end is the checker's end");
    int status = status_after((struct job){.what = crash});
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "its signal is the checker's");
    status = status_after((struct job){.what = read_other});
    expect(status != 0, "other shared memory is closed"); /* a sanitizer makes an exit of it */
    status = status_after((struct job){.what = read_closed});
    expect(status != 0, "closed memory is closed");
    expect(ends_with(write_left, 0), "a call returns");
    expect(ends_with(make_thread, 5), "a thread that goes on is noticed");
    expect(ends_with(make_child, 5), "so is a process");
    expect(ends_with(make_orphan, 5), "and one of which the parent has ended");
    expect(ends_with(handle, 5), "and the handler of a signal");

    expect(!worker_is_there() && !worker_ask(&job, sizeof job), "calls are direct");
    expect(worker_start() && worker_is_there(), "a worker is started");
    int *shared = worker_allocate(64, 4096);
    job.shared = shared, shared[0] = 1, calls = 3;
    struct call_used used = call(&job);
    expect(shared[0] == 5, "what it writes into its memory arrives");
    expect(used.outside < sizeof room && !worker_left(), "it has written little else");
    job.what = count;
    call(&job), call(&job);
    expect(job.left == 2 && calls == 3, "it knows nothing of the checker");
    job.what = ask;
    worker_answer(add_calls);
    call(&job);
    expect(job.left == 5, "it can ask the checker");
    worker_answer(NULL);
    call(&job);
    expect(job.left == -1, "which need not answer");
    job.what = fill;
    memset(room, 0, sizeof room);
    expect(call(&job).outside >= sizeof room && room[9] == 0, "other memory is counted");
    double short_ms = call(&job).processor_ms;
    job.what = compute;
    expect(call(&job).processor_ms > short_ms, "its time is measured");
    worker_release(shared);
    expect(worker_allocate(64, 4096) == (void *)shared, "memory is used again");
    return problems > 0;
}
