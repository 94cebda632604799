/* SPDX-License-Identifier: MIT */
#include "common/device/timer.h"

#include <stdlib.h>
#include <time.h>

double timer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
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
