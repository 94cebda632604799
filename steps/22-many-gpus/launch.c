/**
 * @file launch.c
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
#include "common/device/timer.h"
#include "run.h"

static pid_t mpirun;                    /* the handler below can only look here */
static volatile sig_atomic_t passed_on; /* the last signal that it has passed on */

static void pass_on(int number)
{
    passed_on = number;
    if (mpirun > 0)
        kill(mpirun, number);
}

/* What mpirun needs to start us again; false after a message. */
static bool can_launch(long ranks)
{
    if (!comm_library()) {
        fprintf(stderr,
                "--ranks %ld needs MPI, which was not there when this program was built. On "
                "Debian: "
                "apt-get install openmpi-bin libopenmpi-dev, then configure and build again. "
                "Without it "
                "ranks can be threads of one process: add --one-process\n",
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

/* More ranks than processors are right here; and threads of a rank may go to any of them. */
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
           (size_t)count * sizeof *words); /* with the NULL at its end */
    execvp(words[0], words);
    fprintf(stderr, "mpirun cannot be started: %s. On Debian: apt-get install openmpi-bin\n",
            strerror(errno));
    _exit(EXIT_RESOURCE);
}

/* True where mpirun has processes that run, or where the system does not tell. */
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

/* Until mpirun has ended. Open MPI's may wait for itself for ever when its ranks have ended in
   MPI_Init(): then it is killed when that takes longer than --limit. */
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
            return EXIT_RESOURCE << 8; /* as if it had ended with it */
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
        fprintf(stderr, "mpirun has started several of us, but this program was built without "
                        "MPI: each would "
                        "run alone. Install libopenmpi-dev, then configure and build again\n");
        return EXIT_RESOURCE;
    }
    if (comm_is_started() || ranks <= 1)
        return -1;
    if (!can_launch(ranks))
        return EXIT_RESOURCE;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    snprintf(program + larger(0, length), sizeof program - (size_t)larger(0, length), "%s",
             length > 0 ? "" : o->argv[0]);
    fflush(stdout);
    mpirun = fork();
    if (mpirun == 0)
        become_mpirun(o, program, ranks);
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    int status = mpirun > 0 ? wait_for_mpirun(o->settings[SET_LIMIT]) : 0;
    if (passed_on) { /* whoever sent it sees that we have died of it */
        signal(passed_on, SIG_DFL);
        raise(passed_on);
    }
    if (mpirun > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_RESOURCE)
        return WEXITSTATUS(status);
    fprintf(stderr, "%s: a rank died, and the run was ended; mpirun says above which one\n",
            o->step->name);
    return EXIT_RESOURCE;
}
