/* SPDX-License-Identifier: MIT */
/** @file backend_cpu.c
 * This computer's processor: no copies, the host's clock, OpenBLAS as the vendor's library.
 */
#include "common/device/backend.h"

#include <string.h>

#include "common/device/worker.h"
#include "common/device/host.h"
#include "common/device/timer.h"
#include "common/device/libraries/vendor.h"

static const char *missing(void) { return NULL; }

/* Large blocks start on a huge page and ask for huge pages: a block of hundreds of megabytes
   would otherwise miss the translation cache on every row. */
static void *allocate(size_t bytes)
{
    enum { HUGE_PAGE = 2 << 20 };
    size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : 64;
    void *block = worker_allocate(alignment, bytes);
#ifdef MADV_HUGEPAGE
    if (block && alignment == HUGE_PAGE)
        madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

static void poison(void *block, size_t bytes) { memset(block, 0xff, bytes); }

static double started, measured;
static bool running;
static long calls;

static long clock_calls(void) { return calls; }

static void start(void)
{
    calls++;
    running = true;
    started = timer_now();
}

static double stop(void)
{
    calls++;
    if (running)
        measured = timer_now() - started;
    running = false;
    return measured;
}

const struct backend backend = {
    .name = "cpu",
    .shares_host_memory = true,
#ifdef LADDER_PROCESSOR_TIME /* of exercises: other programs do not change it */
    .processor_time = true,
#endif
    .guard_cells = 64,
    .missing = missing,
    .device = host_processor,
    .memory_free = host_memory_available,
    .allocate = allocate,
    .release = worker_release,
    .upload = copy,
    .download = copy,
    .poison = poison,
    .start = start,
    .stop = stop,
    .clock_calls = clock_calls,
    .vendor = openblas_load,
    .vendor_multiply = openblas_multiply,
};
