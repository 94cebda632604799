/* SPDX-License-Identifier: MIT */
/** @file process.h
 * Runs another program within limits and keeps its output.
 */
#ifndef TOOLS_LAB_PROCESS_PROCESS_H
#define TOOLS_LAB_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct limits {
    double seconds;     /**< by the clock, up to ten times as long if others use the machine; 0:
                           none */
    bool show;          /**< with a channel: show matrices (show.h) */
    size_t data;        /**< bytes of memory it may write; 0: no limit */
    size_t file;        /**< bytes of a file it writes; 0: no limit */
    bool processes;     /**< limits how many it starts (the kernel does not limit root) */
    const char *folder; /**< where it runs, and where its TMPDIR is; NULL: here */
    bool channel;       /**< it is an exercise: gets a channel (channel.h) */
    /** What it may read, a list that ends with NULL (seal.h), in addition to its folder, which
     * it may write if it is no exercise. Its environment holds nothing of ours. NULL: it is one
     * of our own programs, without limits of access. */
    const char *const *readable;
};

/** The output of a program that has ended. */
struct ended {
    int status; /**< of exit(); -1: a signal ended it */
    int signal; /**< or 0 */
    bool timed_out;
    char *out, *err; /**< at most KEPT_MOST bytes of each, as printable texts (lab.h) */
    char *said;      /**< through the channel; NULL: nothing to be trusted */
};

enum { KEPT_MOST = 1 << 18 };

/** Runs it to its end. All processes that it started die with it, and all of them with ours. */
struct ended process_run(char *const argv[], const struct limits *limits);

/** Ctrl-C and the like: installs the handler, and checks whether a signal came. A signal ends
 * the running program, and this one, after cleaning up, at the next call of
 * die_if_interrupted(). */
void catch_interrupts(void);
void die_if_interrupted(void);

#endif
