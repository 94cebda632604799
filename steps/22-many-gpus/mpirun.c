/* SPDX-License-Identifier: MIT */
/** @file mpirun.c
 * --ranks P: the program starts mpirun, and mpirun starts the program P times.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "comm.h"
#include "common/command/options.h"
#include "common/device/timer.h"

static pid_t child; /* mpirun; global, since the handler below has no argument */
static volatile sig_atomic_t passed_on; /* the last signal that it got from here */

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

int launch_ranks(const struct options *o, int ranks, double limit)
{
    if (!comm_is_started())
        return ranks > 1 ? run_mpirun(o, ranks, limit) : -1;
    if (comm_library())
        return -1;
    fprintf(stderr,
            "mpirun has started several of us, but this program was built without MPI: each "
            "would run alone. Install libopenmpi-dev, then configure and build again\n");
    return EXIT_RESOURCE;
}
