/* SPDX-License-Identifier: MIT */
/** @file worker.h
 * Calls a step's functions in a separate process, which can reach nothing of the checker's but
 * the matrices and the workspace of the call.
 *
 *     checker     reference, clock, verdict and output; never runs a step's function
 *     starter     forked before there is anything to find; forks one worker for each call
 *     worker      makes one call, is stopped, measured and killed
 *
 * A worker thus knows nothing of other calls, and no thread of it runs between calls. Where
 * worker_start() was not called, the functions are called directly, as in every step's program.
 */
#ifndef COMMON_DEVICE_WORKER_H
#define COMMON_DEVICE_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Memory that a call may read and write. */
struct worker_memory {
    void *at; /**< from worker_allocate(), or NULL: none */
    size_t bytes;
};

/** What the kernel measured of a call. */
struct worker_used {
    double ms;      /**< processor time of all its threads */
    size_t outside; /**< bytes of pages that it wrote outside its memory and the argument */
    bool threads;   /**< more than one thread was left at the end */
};

/**
 * Starts the starter. To be called while the process has one thread, no secrets and has run no
 * foreign code.
 * @param prepare called in each worker before its call: gives up rights
 * @return false if the system has no process or memory for it
 */
bool worker_start(void (*prepare)(void));

/**
 * Whether worker_start() has been called.
 * @return true: calls are made in workers
 */
bool worker_is_apart(void);

/**
 * Allocates memory that can be given to calls.
 * @param alignment a power of two; for calls in workers at most a page
 * @param bytes any number
 * @return NULL without enough memory; to be freed with worker_release()
 */
void *worker_allocate(size_t alignment, size_t bytes);

/**
 * Frees a block.
 * @param block from worker_allocate(), or NULL
 */
void worker_release(void *block);

/**
 * Makes one call in a new worker. If the worker ends before its call does, this process ends in
 * the same way: by the same signal, or with the same status.
 * @param run gets a copy of the argument
 * @param argument gets what `run` has left in the copy, which nobody may trust
 * @param bytes of the argument, at most a page
 * @param memory what the call may use apart from that
 * @param count of `memory`
 * @return what it used
 */
struct worker_used worker_call(void (*run)(void *), void *argument, size_t bytes,
                               const struct worker_memory *memory, int count);

/* For what counts the work of foreign code inside a worker (exercises/counted.h): it closes the
 * call's memory, and opens it for each operation that it counts. Without a worker nothing is
 * ever closed. */

/**
 * Closes the call's memory and the counters: who reads or writes there crashes.
 */
void worker_close(void);

/**
 * Opens what worker_close() has closed.
 * @return whether it was closed
 */
bool worker_open(void);

/**
 * Whether a place is in the call's memory.
 * @param at its first byte
 * @param bytes how long it is
 * @return true also without a worker
 */
bool worker_has(const void *at, size_t bytes);

/**
 * Memory for counters, which is closed with the call's memory.
 * @return 256 bytes, zeros when the call begins
 */
void *worker_counters(void);

#ifdef __cplusplus
}
#endif
#endif
