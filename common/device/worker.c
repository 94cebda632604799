/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, pipe2 */
#include "common/device/worker.h"

#include <stdlib.h>

static void *allocate_alone(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

#ifdef __wasm__ /* a web page, which has no processes: calls are direct */

bool worker_start(void) { return true; }
int worker_fork(void) { return -1; }
void worker_serve(void) {}
bool worker_is_there(void) { return false; }
void *worker_room(void) { return NULL; }
void worker_close(void) {}
bool worker_closed(const void *at) { return at && false; }
bool worker_ask(void *question, size_t bytes) { return question && !bytes; }
void worker_answer(void (*answer)(void *)) { (void)answer; }
int worker_is_after(const void *at) { return at ? -1 : -1; }
const char *worker_left(void) { return NULL; }
void *worker_allocate(size_t alignment, size_t bytes)
{
    return allocate_alone(alignment, bytes);
}
void worker_release(void *block) { free(block); }
struct call_used worker_call(void (*run)(void *), void *argument, size_t bytes,
                             const struct call_memory *memory, int count)
{
    (void)bytes, (void)memory, (void)count;
    run(argument);
    return (struct call_used){0};
}
#else
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/device/timer.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, MOST_IN_CALL = 8, MOST_BLOCKS = 64, IDLE_CALLS = 15 };

/* The call, in a shared page. */
static struct desk {
    void (*run)(void *argument);
    struct call_memory blocks[MOST_IN_CALL]; /* that it may use; they follow each other */
    char argument[PAGE - 1024] __attribute__((aligned(16)));
} * desk;

static int orders[2], done[2]; /* both ends of each pipe */
enum { RETURNED, ASKED };      /* what the worker sends */
static void (*answers)(void *question);

/* Shared memory: the room, and then the blocks. */
static struct {
    char *start;
    size_t bytes;
    struct {
        size_t from, to;
        bool used;
    } blocks[MOST_BLOCKS];
    int count;
} region;

static volatile pid_t worker;                   /* 0: none */
static struct call_memory blocks[MOST_IN_CALL]; /* of the last call that had some */
static struct call_used idle; /* a call that does nothing, and what it has written */
/* The signals that it handles, and the children of the worker and of the checker, before it has
   multiplied. */
static unsigned long long handled;
static char family[2][64];

bool worker_is_there(void) { return worker > 0; }

void *worker_room(void) { return region.start; }

static size_t up_to(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/* ---- memory ---- */

void *worker_allocate(size_t alignment, size_t bytes)
{
    if (!worker || !backend.shares_host_memory)
        return allocate_alone(alignment, bytes);
    size_t end = region.count ? region.blocks[region.count - 1].to : WORKER_ROOM;
    size_t from = up_to(end, alignment > PAGE ? alignment : PAGE);
    if (region.count == MOST_BLOCKS || from >= region.bytes || bytes > region.bytes - from)
        return NULL;
    region.blocks[region.count].from = from;
    region.blocks[region.count].to = from + up_to(bytes, PAGE);
    region.blocks[region.count++].used = true;
    return region.start + from;
}

/* Memory is given back from the end. */
void worker_release(void *block)
{
    size_t from = (size_t)((char *)block - region.start);
    if (!region.start || (char *)block < region.start || from >= region.bytes) {
        free(block);
        return;
    }
    for (int i = 0; i < region.count; i++)
        region.blocks[i].used = region.blocks[i].used && region.blocks[i].from != from;
    for (; region.count && !region.blocks[region.count - 1].used; region.count--)
        madvise(region.start + region.blocks[region.count - 1].from,
                region.blocks[region.count - 1].to - region.blocks[region.count - 1].from,
                MADV_REMOVE);
}

/* ---- what the kernel knows of the worker ---- */

static double processor_ms(void)
{
    struct timespec time = {0};
    clockid_t clock;
    if (clock_getcpuclockid(worker, &clock) == 0)
        clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Bytes of pages that only the worker has written; those that it shares with others, as it
   does A, B and C, do not count. */
static size_t written(void)
{
    char kib[64];
    host_read(kib, sizeof kib, "Private_Dirty:", "/proc/%d/smaps_rollup", (int)worker);
    return (size_t)atol(kib) << 10;
}

/* The signals that the worker handles, a bit each, without the two of the C library itself. */
static unsigned long long handled_now(void)
{
    char mask[32];
    host_read(mask, sizeof mask, "SigCgt:", "/proc/%d/status", (int)worker);
    return strtoull(mask, NULL, 16) & ~(3ull << 31);
}

/* The children of all threads of a process; those of which the parent has ended are the
   checker's. */
static void read_children(pid_t process, char value[sizeof *family])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *tasks = opendir(path);
    *value = '\0';
    for (struct dirent *task; tasks && !*value && (task = readdir(tasks));)
        host_read(value, sizeof *family, "", "/proc/%d/task/%s/children", (int)process,
                  task->d_name);
    if (tasks)
        closedir(tasks);
}

/* ---- the worker ---- */

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

/* Its call's blocks, the memory from the first to the last one, and whether it is closed. */
static struct {
    struct call_memory blocks[MOST_IN_CALL], all;
    bool closed, serves;
} mine;

static void allow(int rights) { mprotect(mine.all.at, mine.all.bytes, rights); }

void worker_close(void)
{
    mine.closed = mine.all.bytes > 0;
    allow(PROT_NONE);
}

bool worker_closed(const void *at)
{
    return mine.closed &&
           (size_t)((const char *)at - (const char *)mine.all.at) < mine.all.bytes;
}

bool worker_ask(void *question, size_t bytes)
{
    char byte = ASKED;
    if (!mine.serves || bytes > sizeof desk->argument)
        return false;
    memcpy(desk->argument, question, bytes);
    send(done[1], &byte, 1);
    if (!receive(orders[0], &byte, 1))
        _exit(EXIT_RESOURCE);
    memcpy(question, desk->argument, bytes);
    return byte == ASKED;
}

int worker_is_after(const void *at)
{
    int block = -1;
    for (int i = 0; i < MOST_IN_CALL; i++) {
        const char *begin = mine.blocks[i].at;
        if (begin && (const char *)at > begin &&
            (size_t)((const char *)at - begin) < region.bytes &&
            (block < 0 || begin > (const char *)mine.blocks[block].at))
            block = i;
    }
    return block;
}

/* Closes all shared memory but the next calls', whose pages the clock is not to count. */
static void take_memory(void *none)
{
    char *from = NULL, *to = NULL;
    (void)none;
    memcpy(mine.blocks, desk->blocks, sizeof mine.blocks);
    for (int i = 0; i < MOST_IN_CALL; i++) {
        char *at = mine.blocks[i].at, *end = at + up_to(mine.blocks[i].bytes, PAGE);
        if (at && (!from || at < from))
            from = at;
        if (at && end > to)
            to = end;
    }
    mine.all = (struct call_memory){from, (size_t)(to - from)};
    mprotect(region.start + WORKER_ROOM, region.bytes - WORKER_ROOM, PROT_NONE);
    allow(PROT_READ | PROT_WRITE);
    madvise(from, mine.all.bytes, MADV_POPULATE_WRITE);
}

/* Makes this number of calls; -1: until the checker ends. */
static void serve(int calls)
{
    char byte;
    for (; calls-- != 0 && receive(orders[0], &byte, 1); send(done[1], &byte, 1)) {
        mine.serves = calls < 0;
        char argument[sizeof desk->argument] __attribute__((aligned(16)));
        memcpy(argument, desk->argument, sizeof argument);
        desk->run(argument);
        if (mine.closed)
            allow(PROT_READ | PROT_WRITE);
        mine.closed = false;
        memcpy(desk->argument, argument, sizeof argument);
        byte = RETURNED;
        fflush(stdout);
    }
}

void worker_serve(void)
{
    serve(-1);
    _exit(0);
}

/* ---- the checker ---- */

/* Ends this process as the worker has ended, but not as if all were right. */
static void end_likewise(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(!WIFEXITED(status)    ? EXIT_RESOURCE
          : WEXITSTATUS(status) ? WEXITSTATUS(status)
                                : EXIT_WRONG);
}

void worker_answer(void (*answer)(void *question)) { answers = answer; }

/* A question of the worker, which could still change its text: it gets a copy's answer. */
static void answer(void)
{
    char question[sizeof desk->argument] __attribute__((aligned(16)));
    char byte = answers ? ASKED : RETURNED; /* the worker helps itself */
    memcpy(question, desk->argument, sizeof question);
    if (answers)
        answers(question);
    memcpy(desk->argument, question, sizeof question);
    send(orders[1], &byte, 1);
}

/* Waits until the call is done, and answers questions. A process that the worker has made may
   still hold the pipe when the worker has ended. */
static void wait_for_worker(void)
{
    struct pollfd end = {done[0], POLLIN, 0};
    int status = EXIT_RESOURCE << 8;
    for (char byte;;) {
        for (int ready; (ready = poll(&end, 1, 500)) <= 0;)
            if (ready == 0 && waitpid(worker, &status, WNOHANG) == worker)
                end_likewise(status);
        if (!receive(done[0], &byte, 1))
            break;
        if (byte != ASKED)
            return;
        answer();
    }
    waitpid(worker, &status, 0);
    end_likewise(status);
}

/* Stops all its threads. */
static void stop_worker(void)
{
    int status;
    kill(worker, SIGSTOP);
    if (waitpid(worker, &status, WUNTRACED) == worker && !WIFSTOPPED(status))
        end_likewise(status);
}

/* One call. What the worker computes between its going on and the call is added to the time. */
static struct call_used call(void (*run)(void *), void *argument, size_t bytes)
{
    struct call_used used = {.processor_ms = -processor_ms()};
    char byte = 0;
    desk->run = run;
    if (bytes)
        memcpy(desk->argument, argument, bytes);
    kill(worker, SIGCONT);
    let_threads_sleep(worker); /* they have noticed, and wait again */
    used.ms = used.processor_ms + processor_ms() - timer_now();
    send(orders[1], &byte, 1);
    wait_for_worker();
    used.ms += timer_now();
    stop_worker();
    used.processor_ms += processor_ms();
    if (bytes)
        memcpy(argument, desk->argument, bytes);
    return used;
}

static void subtract(double *from, double what) { *from = *from > what ? *from - what : 1e-6; }

struct call_used worker_call(void (*run)(void *), void *argument, size_t bytes,
                             const struct call_memory *memory, int count)
{
    if (!worker) {
        run(argument);
        return (struct call_used){0};
    }
    if (bytes > sizeof desk->argument || count > MOST_IN_CALL)
        abort();
    if (count && memcmp(blocks, memory, (size_t)count * sizeof *memory) != 0) {
        memcpy(blocks, memory, (size_t)count * sizeof *memory);
        memcpy(desk->blocks, blocks, sizeof blocks);
        call(take_memory, NULL, 0);
    }
    struct call_used used = call(run, argument, bytes);
    subtract(&used.ms, idle.ms);
    subtract(&used.processor_ms, idle.processor_ms);
    if (count)
        used.outside = written();
    used.outside -= used.outside < idle.outside ? used.outside : idle.outside;
    return used;
}

const char *worker_left(void)
{
    char children[2][sizeof *family];
    if (!worker)
        return NULL;
    read_children(worker, children[0]);
    read_children(getpid(), children[1]);
    kill(worker, SIGCONT);
    bool sleep = let_threads_sleep(worker);
    stop_worker();
    return handled_now() != handled
               ? "a signal handler was set and left: work could be put off until C is read"
           : strcmp(children[0], family[0]) != 0 || strcmp(children[1], family[1]) != 0
               ? "a process was left that could work while nobody looks"
           : !sleep ? "a thread was left that could work while nobody looks"
                    : NULL;
}

/* A run without an end: its worker reports where it is (exercise_main.c). */
static void on_alarm(int number)
{
    if (worker)
        kill(worker, number);
    else
        signal(number, SIG_DFL), raise(number);
}

static void do_nothing(void *none) { (void)none; }

/* What a worker writes once, before it is counted: the tables of OpenMP's library, and what a
 * printf() takes. */
static void prepare(void *none)
{
    (void)none;
    volatile int runs = 0;
    char number[32], *volatile buffer = calloc(1, 4096);
    snprintf(number, sizeof number, "%f", runs / 3.0);
    free(buffer);
    for (int i = 0; i < 16; i++)
#pragma omp parallel for schedule(dynamic) num_threads(1)
        for (int j = 0; j < 2; j++)
            runs++;
}

/* What a call takes that does nothing, before any foreign code can make it longer. */
static void measure_idle(void)
{
    double ms[IDLE_CALLS], processor[IDLE_CALLS];
    call(do_nothing, NULL, 0);
    for (int i = 0; i < IDLE_CALLS; i++) {
        struct call_used used = call(do_nothing, NULL, 0);
        ms[i] = used.ms, processor[i] = used.processor_ms;
    }
    idle.ms = timing_of(ms, IDLE_CALLS).median;
    idle.processor_ms = timing_of(processor, IDLE_CALLS).median;
}

/* The memory, as much as there is, and the pipes. */
static bool open_desk(void)
{
    size_t most = up_to(host_memory_available(), PAGE) + WORKER_ROOM + PAGE;
    char *start = MAP_FAILED;
    for (; start == MAP_FAILED && most > WORKER_ROOM; most /= 2)
        start = mmap(NULL, region.bytes = up_to(most, PAGE), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED || pipe2(orders, O_CLOEXEC) != 0 || pipe2(done, O_CLOEXEC) != 0)
        return false;
    region.start = start;
    region.bytes -= PAGE;
    desk = (struct desk *)(void *)(start + region.bytes);
    return true;
}

/* A process that does nothing, and shares what this one had: what the checker writes is not
   counted as written by the worker. */
static void keep_pages(pid_t checker)
{
    if (fork() != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == checker)
        pause();
    _exit(0);
}

int worker_fork(void)
{
    pid_t checker = getpid(), child;
    struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    if (!open_desk())
        return -1;
    fflush(NULL); /* or each process would write it again */
    signal(SIGPIPE, SIG_IGN);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != checker)
            _exit(0);
        close(orders[1]), close(done[0]);
        serve(1 + IDLE_CALLS);
        return 0;
    }
    close(orders[0]), close(done[1]);
    if (child < 0 || sigaction(SIGALRM, &alarm, NULL) != 0)
        return -1;
    worker = child;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (backend.shares_host_memory)
        keep_pages(checker);
    stop_worker();
    measure_idle();
    idle.outside = 0;
    call(prepare, NULL, 0);
    idle.outside = written();
    handled = handled_now();
    read_children(worker, family[0]);
    read_children(checker, family[1]);
    return 1;
}

bool worker_start(void)
{
    char tracer[16];
    host_read(tracer, sizeof tracer, "TracerPid:", "/proc/self/status");
    int which = atoi(tracer) ? 1 : worker_fork();
    if (which == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* results are on standard output */
        worker_serve();
    }
    return which == 1;
}
#endif
