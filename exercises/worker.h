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
 * worker_start() was not called, as in a debugger, the functions are called directly.
 */
#ifndef EXERCISES_WORKER_H
#define EXERCISES_WORKER_H

#include <stdbool.h>
#include <stddef.h>

/** Starts the starter, and from then on has every call made in a new worker (`caller` in
 * common/device/caller.h). If a worker ends before its call does, this process ends in the same
 * way: by the same signal, or with the same status. To be called while the process has one
 * thread, no secrets and has run no foreign code.
 * @param prepare called in each worker before its call: gives up rights
 * @return false if the system has no process or memory for it */
bool worker_start(void (*prepare)(void));

/**
 * Makes a second process, which makes all calls from now on, one after the other: it owns what
 * outlasts a call, such as a simulated GPU. To be called as worker_start() is. This process
 * goes on as well, and ends as the other one does.
 * @return 1 in this process, 0 in the other, which is to call worker_serve(); -1 without memory
 */
int worker_fork(void);

/**
 * Makes the calls that the other process asks for, until that ends.
 */
void worker_serve(void);

/** Memory that both processes of worker_fork() share. */
enum { WORKER_ROOM = 1 << 22 };
void *worker_room(void);

/* For what counts the work of foreign code inside a worker (exercises/counted.h): it closes the
 * call's memory, and opens it for each operation that it counts. Without a worker nothing is
 * ever closed. */

/** Closes the call's memory and the counters: who reads or writes there crashes. */
void worker_close(void);

/** Opens what worker_close() has closed.
 * @return whether it was closed */
bool worker_open(void);

/** Whether a place is in the call's memory.
 * @param at its first byte
 * @param bytes how long it is
 * @return true also without a worker */
bool worker_has(const void *at, size_t bytes);

/** Which block of the call's memory a place follows: of A, B, C and the workspace.
 * @param at not in any of them
 * @return its number from 0, or -1: none, or there is no worker */
int worker_is_after(const void *at);

/** Memory for counters, which is closed with the call's memory.
 * @return 256 bytes, zeros when the call begins */
void *worker_counters(void);

#endif
