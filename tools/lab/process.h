/* SPDX-License-Identifier: MIT */
/** @file process.h
 * Runs another program within limits and keeps what it says.
 */
#ifndef TOOLS_LAB_PROCESS_H
#define TOOLS_LAB_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct limits {
    double seconds; /**< by the clock, up to ten times as long on a machine that others use; 0:
                       none */
    bool show;      /**< with a channel: show matrices (show.h) */
    size_t data;    /**< bytes of memory it may write; 0: no limit */
    size_t file;    /**< bytes of a file it writes; 0: no limit */
    bool little_stack;  /**< the learner's code gets LITTLE_STACK bytes of stack (channel.h) */
    bool processes;     /**< limit how many it starts (not for root, whom the kernel lets) */
    const char *folder; /**< where it runs, and where its TMPDIR is; NULL: here */
    bool channel;       /**< it is an exercise: gets a channel with a nonce (channel.h) */
    /** What it may read, a list that ends with NULL (seal.h); beside that its folder, where it
     * may write if it is no exercise. Its environment holds nothing of ours. NULL: it is one of
     * our own programs, and may do what we may. */
    const char *const *readable;
};

/** What a program that ended has said. */
struct ended {
    int status; /**< of exit(); -1: a signal ended it */
    int signal; /**< or 0 */
    bool timed_out;
    char *out, *err; /**< at most KEPT_MOST bytes of each, as printable texts (lab.h) */
    char
        *said; /**< through the channel, without the nonce; NULL: nothing that can be trusted */
};

enum { KEPT_MOST = 1 << 18 };

/** Runs it to its end. All it started dies with it, and all of them with this program. */
struct ended process_run(char *const argv[], const struct limits *limits);

/** Ctrl-C and its like: installs the handler, and asks whether one came. A signal ends the
 * program that runs now, and this one, with everything cleaned up, at the next call of
 * die_if_interrupted(). */
void catch_interrupts(void);
void die_if_interrupted(void);

#endif
