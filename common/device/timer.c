/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "common/device/timer.h"

#include "common/device/host.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

double timer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* True while a thread of a process runs, or waits for a core; its first one and the calling one
   do not count. */
static bool others_run(int process)
{
    char path[64], line[128], which[16] = "self";
    if (process)
        snprintf(which, sizeof which, "%d", process);
    snprintf(path, sizeof path, "/proc/%s/task", which);
    DIR *tasks = opendir(path);
    bool found = false;
    for (struct dirent *task; !found && tasks && (task = readdir(tasks));) {
        long id = atol(task->d_name); /* 0: "." or ".." */
        if (id == 0 || id == process || id == syscall(SYS_gettid))
            continue;
        host_read(line, sizeof line, "", "/proc/%s/task/%s/stat", which, task->d_name);
        const char *name_end = strrchr(line, ')');
        found = name_end && strncmp(name_end, ") R", 3) == 0; /* "17 (name) R ..." */
    }
    if (tasks)
        closedir(tasks);
    return found;
}

bool let_threads_sleep(int process)
{
    const struct timespec pause = {0, 200000};
    const double longest =
        timer_now() + 1000; /* with OMP_WAIT_POLICY=active they never sleep */
    bool run;
    while ((run = others_run(process)) && timer_now() < longest)
        nanosleep(&pause, NULL);
    return !run;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void sort_ascending(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
}

struct timing timing_of(double *ms, int reps)
{
    sort_ascending(ms, reps);
    double median = reps % 2 ? ms[reps / 2] : (ms[reps / 2 - 1] + ms[reps / 2]) / 2;
    return (struct timing){reps, median, ms[0], ms[reps - 1]};
}
