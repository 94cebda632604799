/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lab/program/channel.h"
#include "common/device/host.h"
#include "common/device/timer.h"
#include "tools/lab/lab.h"
#include "seal.h"

static volatile pid_t current; /* the process group that is running; 0: none */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    interrupted = signal;
    if (current > 0)
        kill(-current, SIGKILL);
}

void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt}; /* reads and polls end with EINTR */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the limit fails as on a full disk */
}

void die_if_interrupted(void)
{
    if (!interrupted)
        return;
    if (interrupted == SIGINT)
        fputc('\n', stderr);
    exit(128 + interrupted);
}

enum { IDLE_SECONDS = 2 };

static double now(void) { return timer_now() / 1000; }

/* Sets a limit, or as much of it as the system allows. */
static void limit(int resource, size_t value)
{
    struct rlimit r;
    if (getrlimit(resource, &r) != 0)
        return;
    if (r.rlim_max == RLIM_INFINITY || value < r.rlim_max)
        r.rlim_max = value;
    r.rlim_cur = r.rlim_max;
    setrlimit(resource, &r);
}

/* Processes and threads of the whole machine, by the kernel's own count; 0: unknown. */
static size_t tasks_there_are(void)
{
    char loads[128];
    unsigned long tasks = 0;
    host_read(loads, sizeof loads, "", "/proc/loadavg");
    sscanf(loads, "%*f %*f %*f %*u/%lu", &tasks);
    return tasks;
}

/* Keeps few variables in the environment of a program that contains a learner's code. So its
 * libraries and its language are the same for everyone, and it has nothing of ours to send. */
static void clean_environment(const char *folder)
{
    static const char *const kept[] = {"PATH", "CUDA_VISIBLE_DEVICES", "ASAN_OPTIONS",
                                       "LSAN_OPTIONS", "UBSAN_OPTIONS"};
    enum { KEPT = sizeof kept / sizeof *kept };
    const char *values[KEPT];
    for (int i = 0; i < KEPT; i++)
        values[i] = getenv(kept[i]); /* clearenv() keeps these texts */
    clearenv();
    for (int i = 0; i < KEPT; i++)
        if (values[i])
            setenv(kept[i], values[i], 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", folder, 1);
    setenv("CCACHE_DISABLE", "yes", 1); /* matters if the compiler is ccache */
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("COLUMNS", "100000", 1); /* the lab breaks the simulated GPU's lines itself */
}

/* Prepares the child process and starts the other program in it. */
static void become(char *const argv[], const struct limits *l, const int ends[3], size_t tasks)
{
    int null = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, l->channel ? SIG_DFL : SIG_IGN);
    dup2(null, STDIN_FILENO);
    dup2(ends[0], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    if (l->readable)
        clean_environment(l->folder);
    if (l->channel) {
        dup2(ends[2], CHANNEL_DESCRIPTOR);
        fcntl(CHANNEL_DESCRIPTOR, F_SETFD, 0);
        setenv(CHANNEL_VARIABLE, "yes", 1);
        setenv("OMP_THREAD_LIMIT", "1",
               1); /* goals are about the work, not about the number of threads */
        setenv("OMP_NUM_THREADS", "1", 1);
        if (l->show)
            setenv(SHOW_VARIABLE, "yes", 1);
    }
    limit(RLIMIT_CORE, 0);
    if (l->data)
        limit(RLIMIT_DATA, l->data);
    if (l->file)
        limit(RLIMIT_FSIZE, l->file);
    if (l->processes && tasks)
        limit(RLIMIT_NPROC, tasks + 256);
    if (l->folder && (chdir(l->folder) != 0 || setenv("TMPDIR", l->folder, 1) != 0))
        _exit(126);
    if (l->readable)
        /* Clang's OpenMP library ends a program that cannot write there when it begins. */
        seal_files(l->readable, l->channel ? "/dev/shm" : l->folder);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* One of the program's output streams, read as it comes. */
struct output {
    int descriptor; /* -1: at its end */
    size_t length;
    char *kept;
};

static void read_some(struct output *s)
{
    char more[16384];
    ssize_t got = read(s->descriptor, more, sizeof more);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got <= 0) {
        close(s->descriptor);
        s->descriptor = -1;
        return;
    }
    size_t space = KEPT_MOST - s->length, part = (size_t)got < space ? (size_t)got : space;
    memcpy(s->kept + s->length, more, part); /* the program must not wait: all is read */
    s->length += part;
}

/* The processes that one of a process's threads has started; returns how many. */
static int children_of(pid_t process, const char *thread, char line[4096], char *pids[256])
{
    host_read(line, 4096, "", "/proc/%d/task/%s/children", (int)process, thread);
    return split_words(line, pids, 256);
}

/* Processor time of a process's busiest thread, and the same of all that run below it. */
static double seconds_used(pid_t process)
{
    char path[64], line[4096], *pids[256];
    double most = 0, children = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        unsigned long user = 0, system = 0;
        host_read(line, sizeof line, "", "/proc/%d/task/%s/stat", (int)process, thread->d_name);
        const char *name_end = strrchr(line, ')');
        if (name_end)
            sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                   &system);
        most = fmax(most, (double)(user + system) / (double)sysconf(_SC_CLK_TCK));
        for (int i = children_of(process, thread->d_name, line, pids); i-- > 0;)
            children += seconds_used((pid_t)atoi(pids[i]));
    }
    if (threads)
        closedir(threads);
    return most + children;
}

/* A program's time: it is over when the busiest threads have used it, when nothing has been
   used for two seconds, or after ten times as long by the clock: others may use the machine. */
struct time_limit {
    double seconds, start, used, since; /* `used` is so since the time `since` */
};

static bool is_over(struct time_limit *limit, pid_t program)
{
    if (limit->seconds <= 0 || now() < limit->start + limit->seconds)
        return false;
    double used = seconds_used(program);
    if (used != limit->used) /* less, where one of them has ended */
        limit->used = used, limit->since = now();
    return used >= limit->seconds || now() > fmax(limit->since, limit->start) + IDLE_SECONDS ||
           now() > limit->start + 10 * limit->seconds;
}

/* Reads all streams until the program has ended; true if its time was over. */
static bool follow(pid_t child, struct output streams[3], double seconds, int *status)
{
    struct time_limit limit = {.seconds = seconds, .start = now()};
    double asked = 0; /* when the program was asked for its place (exercise_main.c) */
    bool timed_out = false, ended = false;
    /* becomes readable when the program has ended; -1: old kernel */
    int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
    for (;;) {
        struct pollfd polls[4] = {[3] = {ended ? -1 : pidfd, POLLIN, 0}};
        for (int i = 0; i < 3; i++)
            polls[i] = (struct pollfd){streams[i].descriptor, POLLIN, 0};
        /* Processes that a program has left may hold the streams open for ever: after its
         * end wait only 5 ms for its own output. */
        int ready = poll(polls, 4, ended ? 5 : 20);
        for (int i = 0; i < 3 && ready > 0; i++)
            if (streams[i].descriptor >= 0 && polls[i].revents)
                read_some(&streams[i]);
        bool closed =
            streams[0].descriptor < 0 && streams[1].descriptor < 0 && streams[2].descriptor < 0;
        if (ended && (ready <= 0 || closed)) {
            if (pidfd >= 0)
                close(pidfd);
            return timed_out;
        }
        if (!ended && waitpid(child, status, WNOHANG) == child) {
            ended = true;
            kill(-child, SIGKILL);
        }
        if (!ended && !timed_out && is_over(&limit, child)) {
            timed_out = true;
            asked = now();
            kill(child, SIGALRM);
        }
        if (!ended && timed_out && now() > asked + 0.2)
            kill(-child, SIGKILL);
    }
}

/* The answer, if the program ended with the status that it reported last. */
static char *trusted(const struct output *channel, int status)
{
    char *answer = text("%.*s", (int)channel->length, channel->kept);
    const char *told = strrchr(answer, 's'); /* of "status N" */
    while (told && told > answer && told[-1] != '\n')
        told--;
    return told && WIFEXITED(status) &&
                   strcmp(told, text("status %d\n", WEXITSTATUS(status))) == 0
               ? answer
               : NULL;
}

/* Waits for orphans that became children of this process. */
static void reap_the_rest(void)
{
    char thread[16], line[4096], *pids[256];
    snprintf(thread, sizeof thread, "%d", (int)getpid());
    for (int i = children_of(getpid(), thread, line, pids); i-- > 0;)
        kill((pid_t)atoi(pids[i]), SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        continue;
}

/* Removes what Clang's OpenMP library keeps in shared memory while its process lives. A sealed
   process (seal.h) must not remove it, and a killed one cannot. */
static void remove_openmp_notes(void)
{
    glob_t notes;
    if (glob(text("/dev/shm/__KMP_REGISTERED_LIB_*_%d", (int)getuid()), 0, NULL, &notes) != 0)
        return;
    for (size_t i = 0; i < notes.gl_pathc; i++)
        if (kill(atoi(notes.gl_pathv[i] + strlen("/dev/shm/__KMP_REGISTERED_LIB_")), 0) != 0 &&
            errno == ESRCH)
            unlink(notes.gl_pathv[i]);
    globfree(&notes);
}

struct ended process_run(char *const argv[], const struct limits *l)
{
    int pipes[3][2];
    die_if_interrupted();
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a child's orphans become ours, to be ended */
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            die(RESOURCE, "no pipe: %s", strerror(errno));
    size_t tasks = tasks_there_are();
    pid_t child = fork();
    if (child < 0)
        die(RESOURCE, "%s cannot be started: %s", argv[0], strerror(errno));
    if (child == 0)
        become(argv, l, (int[]){pipes[0][1], pipes[1][1], pipes[2][1]}, tasks);
    setpgid(child, child);
    current = child;
    struct output streams[3];
    for (int i = 0; i < 3; i++) {
        close(pipes[i][1]);
        streams[i] = (struct output){pipes[i][0], 0, buffer(KEPT_MOST)};
    }
    int status = 0;
    bool timed_out = follow(child, streams, l->seconds, &status);
    current = 0;
    reap_the_rest();
    remove_openmp_notes();
    for (int i = 0; i < 3; i++) {
        if (streams[i].descriptor >= 0)
            close(streams[i].descriptor);
        streams[i].kept[streams[i].length] = '\0';
        if (i < 2)
            make_printable(streams[i].kept);
    }
    die_if_interrupted();
    return (struct ended){.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                          .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                          .timed_out = timed_out,
                          .out = streams[0].kept,
                          .err = streams[1].kept,
                          .said = trusted(&streams[2], status)};
}
