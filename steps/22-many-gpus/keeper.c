/**
 * @file keeper.c
 * Under mpirun each rank has a keeper: a process that waits for the rank, says how it ended and
 * gives mpirun the exit status.
 *
 * mpirun ends with the status of the first of its processes that fails, and for one that a
 * signal has killed that is 128 and the signal's number, whatever the other ranks do
 * afterwards. So what mpirun starts only waits, and the rank is its child.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "comm.h"
#include "run.h"

static const char mark[] = "LADDER_KEEPER"; /* in the rank's environment: its keeper's number */

static pid_t kept; /* the handler below can only look here */
static volatile sig_atomic_t
    ending; /* somebody has asked the keeper to end: the rank's death is no news */

/* mpirun sends its signals to a keeper and its rank at the same time. A rank that has died
   before, of something else, is still told of. */
static void pass_on(int number)
{
    siginfo_t end = {0};
    bool dead =
        waitid(P_PID, (id_t)kept, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == kept;
    if (dead && end.si_status != number)
        return;
    ending = 1;
    kill(kept, number);
}

static bool is_kept(void)
{
    const char *keeper = getenv(mark);
    return keeper && atol(keeper) == (long)getppid();
}

/* The program starts once more, since a process in which CUDA has begun must not be forked. */
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
               "fewer ranks or "
               "--memory need less";
    if (number == SIGTERM || number == SIGINT || number == SIGHUP)
        return "Somebody has ended it";
    return "That is an error in the program: run it again under a debugger, with as few ranks "
           "as show it";
}

/* The exit status of a rank that has ended, after a line about an end that nobody has asked
 * for. */
static int status_of(int rank, int ranks, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    if (WIFEXITED(status))
        fprintf(stderr,
                "rank %d of %d (process %ld) has ended with status %d, and with it the run of "
                "all ranks. The "
                "reason stands above\n",
                rank, ranks, (long)kept, WEXITSTATUS(status));
    else if (!ending)
        fprintf(stderr,
                "rank %d of %d (process %ld) has died of signal %d (%s), and with it the run "
                "of all ranks. %s\n",
                rank, ranks, (long)kept, WTERMSIG(status), strsignal(WTERMSIG(status)),
                advice(WTERMSIG(status)));
    return EXIT_RESOURCE;
}

/* Until the rank has ended. The others may wait for one that is stopped where they cannot look
   for it, such as in MPI_Init(): so it is told of at once. */
static pid_t wait_for_rank(int rank, int ranks, long limit, int *status)
{
    for (;;) {
        pid_t ended = waitpid(kept, status, WUNTRACED);
        if (ended < 0 || !WIFSTOPPED(*status))
            return ended;
        fprintf(stderr,
                "rank %d of %d (process %ld) has been stopped by signal %d (%s): the others "
                "wait for it, %ld s at "
                "most. kill -CONT %ld lets it run\n",
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
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[larger(0, length)] = '\0';
    fflush(stdout);
    kept = length > 0 ? fork() : -1;
    if (kept == 0)
        become_rank(o, program, keeper);
    if (kept < 0)
        return -1; /* without a keeper, then */
    snprintf(name, sizeof name, "keeper-of-%d", rank);
    prctl(PR_SET_NAME, name); /* so that ps and pgrep tell it from its rank */
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    signal(SIGHUP, pass_on);
    while (wait_for_rank(rank, ranks, o->settings[SET_LIMIT], &status) < 0 && errno == EINTR)
        ;
    return status_of(rank, ranks, status);
}
