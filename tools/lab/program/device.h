/* SPDX-License-Identifier: MIT */
/** @file device.h
 * The simulated GPU of an exercise. It is in the process that runs the learner's code, and the
 * checker in another (worker_fork() in common/device/worker.h): nothing is shared but a room
 * through which matrices and texts are copied. Without a second process everything is called
 * directly.
 */
#ifndef TOOLS_LAB_PROGRAM_DEVICE_H
#define TOOLS_LAB_PROGRAM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "simgpu/simgpu.h"

/** Lets the checker's `backend` ask the other process. To be called after worker_fork(). */
void device_connect(void);

/** Calls a function where the device is.
 * @param run called with a copy of `what`, which is copied back
 * @param what small
 * @param bytes of it */
void device_call(void (*run)(void *what), void *what, size_t bytes);

/** What a function writes where the device is.
 * @param run gets the stream to write to and the argument, which is valid in both processes
 * @param argument of the function
 * @return the text, valid until the next call */
char *device_text(void (*run)(FILE *out, const void *argument), const void *argument);

/** @{ */
/** simgpu_keep_shared() and simgpu_get_kept_shared(), where the device is; what the latter
 * points to is valid until its next call. */
void device_keep_shared(const char *file, unsigned x, unsigned y);
bool device_get_kept_shared(int index, struct simgpu_kept_shared *kept);
/** @} */

#endif
