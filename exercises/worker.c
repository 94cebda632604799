/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, pipe2 */
#include "exercises/worker.h"

#ifdef __wasm__ /* a web page, which has no processes: calls are direct */

bool worker_start(void (*prepare)(void)) { return prepare != NULL; }
int worker_fork(void) { return -1; }
void worker_serve(void) {}
void *worker_room(void) { return NULL; }
void worker_close(void) {}
bool worker_open(void) { return false; }
bool worker_has(const void *at, size_t bytes) { return at || bytes; }
int worker_is_after(const void *at) { return at ? -1 : -1; }
void *worker_counters(void)
{
    static double counters[32];
    return counters;
}
#else
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/device/caller.h"
#include "common/device/timer.h"
#include "common/step.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

enum { PAGE = 4096, MOST_BLOCKS = 8, COUNTERS = 256 };
static const size_t region_bytes = (size_t)1 << 30;

/* The call that the next worker makes, in a shared page. */
static struct desk {
    void (*run)(void *argument);
    struct call_memory memory[MOST_BLOCKS]; /* by rising addresses */
    struct call_memory given[MOST_BLOCKS];  /* the blocks of the call, in its order */
    int count;
    char counters[COUNTERS];
    char argument[PAGE - 1024] __attribute__((aligned(16)));
} * desk;

/* Both ends of each pipe. A worker has no end of `started`, through which the starter reports
   which process it has forked, and how it ended. */
static struct {
    int orders[2], started[2], done[2];
} pipes;

static struct {
    char *start; /* of the shared memory */
    size_t used;
    int blocks;
} region;

static volatile pid_t working; /* the worker; 0: none */
static size_t idle_bytes;      /* what a worker writes that has nothing to do */

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* ---- memory ---- */

/* Blocks start at pages. */
static void *allocate(size_t alignment, size_t bytes)
{
    (void)alignment; /* at most a page */
    size_t pages = whole_pages(bytes);
    if (bytes > region_bytes || pages > region_bytes - region.used)
        return NULL;
    char *block = region.start + region.used;
    region.used += pages;
    region.blocks++;
    return block;
}

static void release(void *block)
{
    if (block && --region.blocks == 0) {
        madvise(region.start, region.used, MADV_REMOVE);
        region.used = 0;
    }
}

/* ---- what the kernel knows of a process ---- */

static double processor_ms(pid_t process)
{
    struct timespec time = {0};
    clockid_t clock;
    if (clock_getcpuclockid(process, &clock) == 0)
        clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Bytes of pages that only this process has written; those that it shares with others, as it
   does A, B and C, do not count. */
static size_t written_by(pid_t process)
{
    char path[64], line[128];
    size_t kib = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Private_Dirty: %zu", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib << 10;
}

static bool has_threads(pid_t process)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    return stat(path, &info) == 0 && info.st_nlink > 3; /* ".", "..", and the first thread */
}

/* ---- a worker ---- */

static bool receive(int pipe, void *to, size_t bytes)
{
    ssize_t got;
    do
        got = read(pipe, to, bytes);
    while (got < 0);
    return got == (ssize_t)bytes;
}

static void send(int pipe, const void *from, size_t bytes)
{
    if (write(pipe, from, bytes) != (ssize_t)bytes)
        _exit(EXIT_RESOURCE);
}

/* Removes all shared memory but the call's, which it reads once: the clock is to count neither
   page faults nor what another core has in its cache. */
static void keep_memory_of_call(void)
{
    char *from = region.start;
    for (int i = 0; i < desk->count; i++) {
        char *at = desk->memory[i].at;
        size_t bytes = desk->memory[i].bytes;
        if (at > from)
            munmap(from, (size_t)(at - from));
        madvise(at, bytes, MADV_POPULATE_WRITE);
        for (size_t line = 0; line < bytes; line += 64)
            (void)*(volatile char *)(at + line);
        from = at + bytes;
    }
    munmap(from, (size_t)(region.start + region_bytes - from));
}

/* In a worker: its call's memory, which includes the desk, and whether it is closed. */
static struct {
    struct call_memory memory[MOST_BLOCKS + 1], given[MOST_BLOCKS];
    int count;
    bool closed;
} mine;

static void allow(int rights)
{
    for (int i = 0; i < mine.count; i++)
        mprotect(mine.memory[i].at, mine.memory[i].bytes, rights);
}

void worker_close(void)
{
    allow(PROT_NONE);
    mine.closed = mine.count > 0;
}

bool worker_open(void)
{
    bool closed = mine.closed;
    if (closed)
        allow(PROT_READ | PROT_WRITE);
    mine.closed = false;
    return closed;
}

bool worker_has(const void *at, size_t bytes)
{
    bool found = mine.count == 0;
    for (int i = 0; i < mine.count - 1; i++) {
        size_t before = (size_t)((const char *)at - (const char *)mine.memory[i].at);
        found =
            found || (before <= mine.memory[i].bytes && bytes <= mine.memory[i].bytes - before);
    }
    return found;
}

int worker_is_after(const void *at)
{
    int block = -1;
    for (int i = 0; i < MOST_BLOCKS; i++) {
        const char *begin = mine.given[i].at;
        if (begin && (const char *)at > begin &&
            (size_t)((const char *)at - begin) < region_bytes &&
            (block < 0 || begin > (const char *)mine.given[block].at))
            block = i;
    }
    return block;
}

void *worker_counters(void)
{
    static char direct[COUNTERS] __attribute__((aligned(16)));
    return mine.count ? desk->counters : direct;
}

static void work(void (*prepare)(void))
{
    char byte = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pipes.started[1]);
    keep_memory_of_call();
    memcpy(mine.memory, desk->memory, sizeof desk->memory);
    memcpy(mine.given, desk->given, sizeof desk->given);
    mine.memory[desk->count] = (struct call_memory){desk, sizeof *desk};
    mine.count = desk->count + 1;
    prepare();
    double ms = processor_ms(getpid());
    send(pipes.done[1], &ms, sizeof ms);
    desk->run(desk->argument);
    worker_open();
    fflush(stdout);
    send(pipes.done[1], &byte, 1);
    for (;;) /* until it is killed */
        receive(pipes.orders[0], &byte, 1);
}

/* The starter: forks a worker for each order, and waits for its end. */
static void start_workers(void (*prepare)(void))
{
    char order;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pipes.orders[1]), close(pipes.started[0]), close(pipes.done[0]);
    while (receive(pipes.orders[0], &order, 1)) {
        int status = 0;
        pid_t worker = fork();
        if (worker == 0)
            work(prepare);
        send(pipes.started[1], &worker, sizeof worker);
        waitpid(worker, &status, 0);
        send(pipes.started[1], &status, sizeof status);
    }
    _exit(0);
}

/* ---- the checker's side ---- */

/* Ends this process as the worker has ended. */
static void end_likewise(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_RESOURCE);
}

/* Waits for what the worker has to tell: first what it had used before the call, which nobody
   can have forged yet, and then any byte. */
static void wait_for(void *message, size_t bytes)
{
    struct pollfd both[] = {{pipes.started[0], POLLIN, 0}, {pipes.done[0], POLLIN, 0}};
    int status = EXIT_RESOURCE << 8;
    while (poll(both, 2, -1) < 0)
        continue;
    if (both[1].revents && receive(pipes.done[0], message, bytes))
        return;
    receive(pipes.started[0], &status, sizeof status);
    end_likewise(status);
}

static int by_address(const void *x, const void *y)
{
    const char *a = ((const struct call_memory *)x)->at;
    const char *b = ((const struct call_memory *)y)->at;
    return (a > b) - (a < b);
}

/* Sorts the call's memory, in whole pages, and joins neighbours: opening and closing one piece
   is faster. */
static void lay_out(const struct call_memory *memory, int count)
{
    struct call_memory sorted[MOST_BLOCKS];
    for (int i = 0; i < count; i++)
        sorted[i] = memory[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_address);
    desk->count = 0;
    for (int i = 0; i < count; i++) {
        struct call_memory *last = desk->count ? &desk->memory[desk->count - 1] : NULL;
        size_t bytes = whole_pages(sorted[i].bytes);
        if (!sorted[i].at)
            continue;
        if (last && (char *)last->at + last->bytes == sorted[i].at)
            last->bytes += bytes;
        else
            desk->memory[desk->count++] = (struct call_memory){sorted[i].at, bytes};
    }
}

static struct call_used call(void (*run)(void *), void *argument, size_t bytes,
                             const struct call_memory *memory, int count)
{
    struct call_used used = {0};
    double before;
    char byte = 0;
    int status;
    pid_t worker;
    if (bytes > sizeof desk->argument || count > MOST_BLOCKS)
        abort();
    desk->run = run;
    memset(desk->counters, 0, sizeof desk->counters);
    if (bytes)
        memcpy(desk->argument, argument, bytes);
    memset(desk->given, 0, sizeof desk->given);
    if (count)
        memcpy(desk->given, memory, (size_t)count * sizeof *memory);
    lay_out(memory, count);
    send(pipes.orders[1], &byte, 1);
    if (!receive(pipes.started[0], &worker, sizeof worker) || worker < 0)
        _exit(EXIT_RESOURCE);
    working = worker;
    wait_for(&before, sizeof before);
    wait_for(&byte, 1);
    kill(worker, SIGSTOP); /* all its threads */
    used.ms = processor_ms(worker) - before;
    used.outside = written_by(worker);
    used.outside -= used.outside < idle_bytes ? used.outside : idle_bytes;
    used.threads = has_threads(worker);
    working = 0;
    kill(worker, SIGKILL);
    receive(pipes.started[0], &status, sizeof status);
    while (read(pipes.done[0], &byte, 1) > 0) /* nobody writes there any more */
        continue;
    if (bytes)
        memcpy(argument, desk->argument, bytes);
    return used;
}

static void do_nothing(void *argument) { (void)argument; }

/* A run without an end: its worker reports where it is (exercise_main.c). */
static void on_alarm(int number)
{
    if (working)
        kill(working, number);
    else
        signal(number, SIG_DFL), raise(number);
}

/* The memory and the pipes. */
static bool open_desk(void)
{
    char *start = mmap(NULL, region_bytes + PAGE, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED || pipe2(pipes.orders, O_CLOEXEC) != 0 ||
        pipe2(pipes.started, O_CLOEXEC) != 0 || pipe2(pipes.done, O_CLOEXEC) != 0)
        return false;
    region.start = start;
    desk = (struct desk *)(void *)(start + region_bytes);
    fflush(stdout); /* or each process would print it again */
    return true;
}

static bool watch_alarm(void)
{
    struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    return sigaction(SIGALRM, &alarm, NULL) == 0;
}

bool worker_start(void (*prepare)(void))
{
    if (!open_desk())
        return false;
    caller = (struct caller){allocate, release, call, worker_open};
    pid_t starter = fork();
    if (starter == 0)
        start_workers(prepare);
    close(pipes.orders[0]), close(pipes.started[1]), close(pipes.done[1]);
    fcntl(pipes.done[0], F_SETFL, O_NONBLOCK);
    if (starter < 0 || !watch_alarm())
        return false;
    idle_bytes = call(do_nothing, NULL, 0, NULL, 0).outside;
    return true;
}

/* ---- one worker for all calls ---- */

void *worker_room(void) { return region.start; }

void worker_serve(void)
{
    for (char byte; receive(pipes.orders[0], &byte, 1); send(pipes.done[1], &byte, 1)) {
        char argument[sizeof desk->argument] __attribute__((aligned(16)));
        memcpy(argument, desk->argument, sizeof argument);
        desk->run(argument);
        memcpy(desk->argument, argument, sizeof argument);
        fflush(stdout);
    }
    _exit(0);
}

static struct call_used call_the_other(void (*run)(void *), void *argument, size_t bytes,
                                       const struct call_memory *memory, int count)
{
    (void)memory, (void)count;
    struct call_used used = {0};
    double before = timer_now();
    char byte = 0;
    int status;
    if (bytes > sizeof desk->argument)
        abort();
    desk->run = run;
    if (bytes)
        memcpy(desk->argument, argument, bytes);
    if (write(pipes.orders[1], &byte, 1) != 1 || !receive(pipes.done[0], &byte, 1)) {
        waitpid(working, &status, 0);
        end_likewise(status);
    }
    if (bytes)
        memcpy(argument, desk->argument, bytes);
    used.ms = timer_now() - before;
    return used;
}

int worker_fork(void)
{
    pid_t checker = getpid();
    if (!open_desk())
        return -1;
    signal(SIGPIPE, SIG_IGN);
    working = fork();
    if (working == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != checker)
            _exit(0);
        working = 0;
        close(pipes.orders[1]), close(pipes.done[0]);
        return 0;
    }
    close(pipes.orders[0]), close(pipes.done[1]);
    caller.apart = call_the_other;
    return working > 0 && watch_alarm() ? 1 : -1;
}
#endif
