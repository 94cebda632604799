/* SPDX-License-Identifier: MIT */
/** @file caller.h
 * How the checker calls a step's functions, and where their memory comes from. In a step's
 * program they are called directly; exercises are called in separate processes
 * (exercises/worker.h).
 */
#ifndef COMMON_DEVICE_CALLER_H
#define COMMON_DEVICE_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/** Memory that a call may read and write. */
struct call_memory {
    void *at; /**< from caller.allocate(), or NULL: none */
    size_t bytes;
};

/** What the kernel measured of a call in a separate process. */
struct call_used {
    double ms;      /**< processor time of all its threads */
    size_t outside; /**< bytes of pages that it wrote outside its memory and the argument */
    bool threads;   /**< more than one thread was left at the end */
};

struct caller {
    /** Memory for calls, aligned to a power of two; NULL without enough. */
    void *(*allocate)(size_t alignment, size_t bytes);
    void (*release)(void *block);
    /** Calls run() in a new process with a copy of the argument, and copies back what is left
     * in it, which nobody may trust. NULL: run() is called directly. */
    struct call_used (*apart)(void (*run)(void *), void *argument, size_t bytes,
                              const struct call_memory *memory, int count);
    /** In that process, after a step's function: makes the call's memory accessible again. */
    bool (*open)(void);
};

extern struct caller caller;

#endif
