/* SPDX-License-Identifier: MIT */
/** @file mpirun.c
 * --ranks P: the program starts mpirun, and mpirun starts the program P times.
 *
 * Under mpirun each rank has a keeper: a process that waits for the rank, reports how it ended
 * and returns the exit status to mpirun.
 *
 * The reason: mpirun ends with the status of the first of its processes that fails. If a signal
 * killed that rank, it is 128 plus the signal's number, whatever the other ranks do afterwards.
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
#include "common/command/options.h"
#include "common/device/timer.h"

static pid_t child; /* mpirun, or the rank; global, since the handler below has no argument */
static volatile sig_atomic_t passed_on; /* the last signal that the child got from here */

static void pass_on(int number)
{
    passed_on = number;
    if (child > 0)
        kill(child, number);
}

/* The path of this program, for its second start. */
static const char *this_program(const struct options *o)
{
    static char path[PATH_MAX];
    return readlink("/proc/self/exe", path, sizeof path - 1) > 0 ? path : o->argv[0];
}

/* ---- mpirun ---- */

/* Whether all that starting this program again needs is there; false after a message. */
static bool can_launch(int ranks)
{
    if (!comm_library())
        fprintf(stderr,
                "--ranks %d needs MPI, which was not there when this program was built. On "
                "Debian: apt-get install openmpi-bin libopenmpi-dev, then configure and build "
                "again. Without it ranks can be threads of one process: add --one-process\n",
                ranks);
    else if (geteuid() == 0 && strstr(comm_library(), "Open MPI") &&
             !getenv("OMPI_ALLOW_RUN_AS_ROOT"))
        fprintf(stderr, "mpirun refuses to start ranks for root. If you mean it: export "
                        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n");
    else
        return true;
    return false;
}

/* More ranks than processors are allowed, and the threads of a rank may run on any of them. */
static void become_mpirun(const struct options *o, int ranks)
{
    const char *words[8] = {"mpirun", "-n"},
               *open_mpi[] = {"--oversubscribe", "--bind-to", "none"};
    char number[32];
    size_t used = 2, count = 0;
    snprintf(number, sizeof number, "%d", ranks);
    words[used++] = number;
    for (size_t i = 0; i < 3 && strstr(comm_library(), "Open MPI"); i++)
        words[used++] = open_mpi[i];
    words[used++] = this_program(o);
    while (o->argv[count])
        count++; /* the program's name is not copied, but NULL at the end is */
    const char **all = calloc(used + count, sizeof *all);
    if (all) {
        memcpy(all, words, used * sizeof *all);
        memcpy(all + used, o->argv + 1, count * sizeof *all);
        execvp(all[0], (char **)all);
    }
    fprintf(stderr, "mpirun cannot be started: %s. On Debian: apt-get install openmpi-bin\n",
            strerror(errno));
    _exit(EXIT_RESOURCE);
}

/* Whether mpirun has running processes; also true if that is unknown. */
static bool mpirun_has_ranks(void)
{
    char path[64];
    long process;
    bool has = false;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)child, (long)child);
    FILE *file = fopen(path, "r");
    while (file && !has && fscanf(file, "%ld", &process) == 1)
        has = !strchr("Z?", comm_process_state(process));
    if (file)
        fclose(file);
    return has || !file;
}

/* Waits until mpirun has ended. Open MPI's may wait for itself for ever when its ranks have
   ended in MPI_Init(): it is killed if that takes longer than --limit. */
static int wait_for_mpirun(double limit)
{
    const struct timespec pause = {0, 20000000};
    int status = 0;
    bool had_ranks = false;
    double last = timer_now();
    for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child &&
                      (ended == 0 || errno == EINTR);) {
        bool has = mpirun_has_ranks();
        had_ranks = had_ranks || has;
        if (has || !had_ranks)
            last = timer_now();
        if (timer_now() - last > 1000 * limit) {
            fprintf(stderr, "mpirun has not ended %.0f s after its ranks: it is killed\n",
                    limit);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return EXIT_RESOURCE << 8; /* as if it had ended with this status */
        }
        nanosleep(&pause, NULL);
    }
    return status;
}

static int run_mpirun(const struct options *o, int ranks, double limit)
{
    if (!can_launch(ranks))
        return EXIT_RESOURCE;
    fflush(stdout);
    child = fork();
    if (child == 0)
        become_mpirun(o, ranks);
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    int status = child > 0 ? wait_for_mpirun(limit) : 0;
    if (passed_on) { /* die of the same signal, so that its sender sees it */
        signal(passed_on, SIG_DFL);
        raise(passed_on);
    }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    fprintf(stderr, "%s: a rank died, and the run was ended; mpirun says above which one\n",
            o->step->name);
    return EXIT_RESOURCE;
}

/* ---- The keeper ---- */

static const char mark[] = "LADDER_KEEPER"; /* in the rank's environment: its keeper's number */

static bool is_kept(void)
{
    const char *keeper = getenv(mark);
    return keeper && atol(keeper) == (long)getppid();
}

/* Starts the program once more, since a process in which CUDA has begun must not be forked. */
static void become_rank(const struct options *o, pid_t keeper)
{
    char number[32];
    snprintf(number, sizeof number, "%ld", (long)keeper);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no rank outlives its keeper */
    if (getppid() == keeper && setenv(mark, number, 1) == 0)
        execv(this_program(o), o->argv);
    fprintf(stderr, "%s cannot be started: %s\n", this_program(o), strerror(errno));
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

/* Starts the rank and waits until it has ended. A stopped rank is reported at once, because the
   others may be waiting for it where they cannot look for it, such as in MPI_Init().

   mpirun sends its signals to a keeper and its rank at the same time. It also sends them when a
   rank has closed its files and is about to die of something else: that death is reported. */
static int keep_rank(const struct options *o, double limit)
{
    char name[32];
    int rank, ranks, status = 0;
    pid_t keeper = getpid();
    comm_started_as(&rank, &ranks);
    fflush(stdout);
    child = fork();
    if (child == 0)
        become_rank(o, keeper);
    if (child < 0)
        return -1; /* without a keeper, then */
    snprintf(name, sizeof name, "keeper-of-%d", rank);
    prctl(PR_SET_NAME, name); /* so that ps and pgrep distinguish it from its rank */
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    signal(SIGHUP, pass_on);
    for (pid_t ended = -1; ended < 0 || WIFSTOPPED(status);) {
        ended = waitpid(child, &status, WUNTRACED);
        if (ended < 0 && errno != EINTR)
            break;
        if (ended > 0 && WIFSTOPPED(status))
            fprintf(stderr,
                    "rank %d of %d (process %ld) has been stopped by signal %d (%s): the "
                    "others wait for it, %.0f s at most. kill -CONT %ld lets it run\n",
                    rank, ranks, (long)child, WSTOPSIG(status), strsignal(WSTOPSIG(status)),
                    limit, (long)child);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    if (WIFEXITED(status))
        fprintf(stderr,
                "rank %d of %d (process %ld) ended with status %d, and the run of all ranks "
                "was stopped. The reason is printed above\n",
                rank, ranks, (long)child, WEXITSTATUS(status));
    else if (WTERMSIG(status) != passed_on)
        fprintf(stderr,
                "rank %d of %d (process %ld) was killed by signal %d (%s), and the run of all "
                "ranks was stopped. %s\n",
                rank, ranks, (long)child, WTERMSIG(status), strsignal(WTERMSIG(status)),
                advice(WTERMSIG(status)));
    return EXIT_RESOURCE;
}

int launch_ranks(const struct options *o, int ranks, double limit)
{
    if (!comm_is_started())
        return ranks > 1 ? run_mpirun(o, ranks, limit) : -1;
    if (comm_library())
        return is_kept() ? -1 : keep_rank(o, limit);
    fprintf(stderr,
            "mpirun has started several of us, but this program was built without MPI: each "
            "would run alone. Install libopenmpi-dev, then configure and build again\n");
    return EXIT_RESOURCE;
}
