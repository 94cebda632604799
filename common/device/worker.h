/* SPDX-License-Identifier: MIT */
/** @file worker.h
 * Calls a step's functions in a second process, the worker, which shares nothing with the
 * checker but the matrices and the workspace of a call. The checker has reference, clock,
 * verdict and output, and runs none of a step's functions. The worker is stopped between calls,
 * with all its threads.
 *
 * Without a worker, as in a debugger or on a GPU, functions are called directly.
 */
#ifndef COMMON_DEVICE_WORKER_H
#define COMMON_DEVICE_WORKER_H

#include <stdbool.h>
#include <stddef.h>

/** Makes the worker, which makes all calls from now on, one after the other. To be called while
 * the process has one thread and has run no foreign code. If the worker ends, this process ends
 * in the same way: by the same signal, or with the same status, if it is not 0.
 * @return 1 in the checker, 0 in the worker, which is to call worker_serve(); -1 if the system
 * has no process or memory for it */
int worker_fork(void);

/** worker_fork() and worker_serve(), unless a debugger watches. What the worker prints goes to
 * standard error.
 * @return false if the system has no process or memory for it */
bool worker_start(void);

/** In the worker: makes the calls that the checker asks for, until that ends. */
void worker_serve(void);

/** @return whether there is a worker, and this is the checker */
bool worker_is_there(void);

/** Memory for calls, aligned to a power of two. With a worker on this computer's processor it
 * is shared.
 * @param alignment at most 2 MiB
 * @param bytes 1 or more
 * @return NULL without enough memory */
void *worker_allocate(size_t alignment, size_t bytes);

/** Gives such memory back.
 * @param block of worker_allocate(), or NULL */
void worker_release(void *block);

/** Memory that a call may read and write. */
struct call_memory {
    void *at; /**< from worker_allocate(), one after the other, or NULL: none */
    size_t bytes;
};

/** What the kernel measured of a call in the worker; zeros without one. */
struct call_used {
    double ms;           /**< by the checker's clock */
    double processor_ms; /**< of all its threads */
    size_t outside;      /**< bytes of pages that the worker has written outside its memory */
};

/** Calls run() with a copy of the argument, and copies back what is left in it, which nobody
 * may trust. Without a worker it is called directly.
 * @param run its address is valid in both processes
 * @param argument,bytes at most 3 KiB
 * @param memory,count the only shared memory that the call can reach
 * @return what it used */
struct call_used worker_call(void (*run)(void *), void *argument, size_t bytes,
                             const struct call_memory *memory, int count);

/** After a call: waits until the worker's threads sleep.
 * @return what it has left that could work while nobody looks, in words; NULL if nothing */
const char *worker_left(void);

/** Memory that both processes share, for texts and pieces of matrices; NULL without a worker.
 */
enum { WORKER_ROOM = 1 << 22 };
void *worker_room(void);

/* What the checker does for an answer while it runs, because there the answer must not do, read
 * or count it itself (exercises/apart.h). */

/** In the checker: from now on this carries out what the worker asks for.
 * @param answer gets a copy of the question, and changes it to the answer */
void worker_answer(void (*answer)(void *question));

/** In the worker: asks the checker, and waits.
 * @param question becomes the answer
 * @param bytes at most 3 KiB
 * @return false outside a call in a worker, and where nobody answers */
bool worker_ask(void *question, size_t bytes);

/** In the worker: closes the call's memory until it returns, so that who uses it is told so.
 * What must stay unknown is not there. */
void worker_close(void);

/** In the worker: whether memory is closed.
 * @param at a place, of any memory
 * @return true if it is in the call's memory, and that is closed */
bool worker_closed(const void *at);

/** Which block of the call's memory a place follows: of A, B, C and the workspace.
 * @param at not in any of them
 * @return its number from 0, or -1: none, or there is no worker */
int worker_is_after(const void *at);

#endif
