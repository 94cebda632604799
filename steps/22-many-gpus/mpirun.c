/* SPDX-License-Identifier: MIT */
/** @file mpirun.c
 * --ranks P: the program starts mpirun, and mpirun starts the program P times.
 *
 * Under mpirun each rank has a keeper: a process that waits for the rank, reports how it ended
 * and returns the exit status to mpirun.
 *
 * The reason: mpirun ends with the status of the first of its processes that fails. If a signal
 * killed that one, it is 128 plus the signal's number, whatever the other ranks do afterwards.
 * So what mpirun starts only waits, and the rank is its child.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "comm.h"
#include "common/device/timer.h"
#include "ranks.h"

/* The path of this program; false if the system does not tell. */
static bool find_program(char program[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    program[larger(0, length)] = '\0';
    return length > 0;
}

/* ---- mpirun ---- */

static pid_t mpirun;                    /* global, since the handler below has no argument */
static volatile sig_atomic_t passed_on; /* the last signal that it has passed on */

static void pass_to_mpirun(int number)
{
    passed_on = number;
    if (mpirun > 0)
        kill(mpirun, number);
}

/* Whether all that starting this program again needs is there; false after a message. */
static bool can_launch(long ranks)
{
    if (!comm_library()) {
        fprintf(stderr,
                "--ranks %ld needs MPI, which was not there when this program was built. On "
                "Debian: apt-get install openmpi-bin libopenmpi-dev, then configure and build "
                "again. Without it ranks can be threads of one process: add --one-process\n",
                ranks);
        return false;
    }
    if (geteuid() == 0 && strstr(comm_library(), "Open MPI") &&
        !getenv("OMPI_ALLOW_RUN_AS_ROOT")) {
        fprintf(stderr, "mpirun refuses to start ranks for root. If you mean it: export "
                        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n");
        return false;
    }
    return true;
}

/* More ranks than processors are allowed, and the threads of a rank may run on any of them. */
static void become_mpirun(const struct options *o, const char *program, long asked)
{
    char ranks[32];
    int count = 0, used = 0;
    while (o->argv[count])
        count++;
    char **words = calloc((size_t)count + 8, sizeof *words);
    if (!words)
        _exit(EXIT_RESOURCE);
    snprintf(ranks, sizeof ranks, "%ld", asked);
    words[used++] = (char *)"mpirun";
    words[used++] = (char *)"-n";
    words[used++] = ranks;
    if (strstr(comm_library(), "Open MPI")) {
        words[used++] = (char *)"--oversubscribe";
        words[used++] = (char *)"--bind-to";
        words[used++] = (char *)"none";
    }
    words[used++] = (char *)program;
    memcpy(words + used, o->argv + 1,
           (size_t)count * sizeof *words); /* including the NULL at the end */
    execvp(words[0], words);
    fprintf(stderr, "mpirun cannot be started: %s. On Debian: apt-get install openmpi-bin\n",
            strerror(errno));
    _exit(EXIT_RESOURCE);
}

/* Whether mpirun has running processes; also true if the system does not tell. */
static bool mpirun_has_ranks(void)
{
    char path[64];
    long process;
    bool has = false;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)mpirun, (long)mpirun);
    FILE *file = fopen(path, "r");
    while (file && !has && fscanf(file, "%ld", &process) == 1)
        has = !strchr("Z?", comm_process_state(process));
    if (file)
        fclose(file);
    return has || !file;
}

/* Waits until mpirun has ended. Open MPI's may wait for itself for ever when its ranks have
   ended in MPI_Init(): it is killed if that takes longer than --limit. */
static int wait_for_mpirun(long limit)
{
    const struct timespec pause = {0, 20000000};
    int status = 0;
    bool had_ranks = false;
    double last = timer_now();
    for (pid_t ended; (ended = waitpid(mpirun, &status, WNOHANG)) != mpirun &&
                      (ended == 0 || errno == EINTR);) {
        bool has = mpirun_has_ranks();
        had_ranks = had_ranks || has;
        if (has || !had_ranks)
            last = timer_now();
        if (timer_now() - last > 1000.0 * (double)limit) {
            fprintf(stderr, "mpirun has not ended %ld s after its ranks: it is killed\n",
                    limit);
            kill(mpirun, SIGKILL);
            waitpid(mpirun, &status, 0);
            return EXIT_RESOURCE << 8; /* as if it had ended with this status */
        }
        nanosleep(&pause, NULL);
    }
    return status;
}

int launch_ranks(const struct options *o)
{
    char program[PATH_MAX];
    long ranks = o->settings[SET_RANKS];
    if (comm_is_started() && !comm_library()) {
        fprintf(
            stderr,
            "mpirun has started several of us, but this program was built without MPI: each "
            "would run alone. Install libopenmpi-dev, then configure and build again\n");
        return EXIT_RESOURCE;
    }
    if (comm_is_started() || ranks <= 1 || o->settings[SET_ONE_PROCESS])
        return -1;
    if (!can_launch(ranks))
        return EXIT_RESOURCE;
    if (!find_program(program))
        snprintf(program, sizeof program, "%s", o->argv[0]);
    fflush(stdout);
    mpirun = fork();
    if (mpirun == 0)
        become_mpirun(o, program, ranks);
    signal(SIGINT, pass_to_mpirun);
    signal(SIGTERM, pass_to_mpirun);
    int status = mpirun > 0 ? wait_for_mpirun(o->settings[SET_LIMIT]) : 0;
    if (passed_on) { /* die of the same signal, so that its sender sees it */
        signal(passed_on, SIG_DFL);
        raise(passed_on);
    }
    if (mpirun > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    fprintf(stderr, "%s: a rank died, and the run was ended; mpirun says above which one\n",
            o->step->name);
    return EXIT_RESOURCE;
}

/* ---- The keeper ---- */

static const char mark[] = "LADDER_KEEPER"; /* in the rank's environment: its keeper's number */

static pid_t kept; /* global, since the handler below has no argument */
static volatile sig_atomic_t
    asked; /* the signal that asked the keeper to end: the rank's death of it is no news */

/* mpirun sends its signals to a keeper and its rank at the same time. It also sends them when a
   rank has closed its files and is about to die of something else: that death is reported. */
static void pass_to_rank(int number)
{
    asked = number;
    kill(kept, number);
}

static bool is_kept(void)
{
    const char *keeper = getenv(mark);
    return keeper && atol(keeper) == (long)getppid();
}

/* Starts the program once more, since a process in which CUDA has begun must not be forked. */
static void become_rank(const struct options *o, const char *program, pid_t keeper)
{
    char number[32];
    snprintf(number, sizeof number, "%ld", (long)keeper);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no rank outlives its keeper */
    if (getppid() == keeper && setenv(mark, number, 1) == 0)
        execv(program, o->argv);
    fprintf(stderr, "%s cannot be started: %s\n", program, strerror(errno));
    _exit(EXIT_RESOURCE);
}

static const char *advice(int number)
{
    if (number == SIGKILL)
        return "If nobody has killed it, the memory of this host was used up (dmesg says so): "
               "fewer ranks or --memory need less";
    if (number == SIGTERM || number == SIGINT || number == SIGHUP)
        return "Somebody has ended it";
    return "That is an error in the program: run it again under a debugger, with as few ranks "
           "as show it";
}

/* The exit status of a rank that has ended. Prints a line if nobody has asked for its end.
 */
static int status_of(int rank, int ranks, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    if (WIFEXITED(status))
        fprintf(stderr,
                "rank %d of %d (process %ld) has ended with status %d, and with it the run of "
                "all ranks. The reason stands above\n",
                rank, ranks, (long)kept, WEXITSTATUS(status));
    else if (WTERMSIG(status) != asked)
        fprintf(stderr,
                "rank %d of %d (process %ld) has died of signal %d (%s), and with it the run "
                "of all ranks. %s\n",
                rank, ranks, (long)kept, WTERMSIG(status), strsignal(WTERMSIG(status)),
                advice(WTERMSIG(status)));
    return EXIT_RESOURCE;
}

/* Waits until the rank has ended. A stopped rank is reported at once, because the others may be
   waiting for it where they cannot look for it, such as in MPI_Init(). */
static pid_t wait_for_rank(int rank, int ranks, long limit, int *status)
{
    for (;;) {
        pid_t ended = waitpid(kept, status, WUNTRACED);
        if (ended < 0 || !WIFSTOPPED(*status))
            return ended;
        fprintf(stderr,
                "rank %d of %d (process %ld) has been stopped by signal %d (%s): the others "
                "wait for it, %ld s at most. kill -CONT %ld lets it run\n",
                rank, ranks, (long)kept, WSTOPSIG(*status), strsignal(WSTOPSIG(*status)), limit,
                (long)kept);
    }
}

int keep_rank(const struct options *o)
{
    char program[PATH_MAX], name[32];
    int rank, ranks, status = 0;
    if (!comm_is_started() || is_kept())
        return -1;
    pid_t keeper = getpid();
    comm_started_as(&rank, &ranks);
    bool found = find_program(program);
    fflush(stdout);
    kept = found ? fork() : -1;
    if (kept == 0)
        become_rank(o, program, keeper);
    if (kept < 0)
        return -1; /* without a keeper, then */
    snprintf(name, sizeof name, "keeper-of-%d", rank);
    prctl(PR_SET_NAME, name); /* so that ps and pgrep tell it from its rank */
    signal(SIGINT, pass_to_rank);
    signal(SIGTERM, pass_to_rank);
    signal(SIGHUP, pass_to_rank);
    while (wait_for_rank(rank, ranks, o->settings[SET_LIMIT], &status) < 0 && errno == EINTR)
        ;
    return status_of(rank, ranks, status);
}
