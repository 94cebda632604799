/* SPDX-License-Identifier: MIT */
/** @file log.h
 * Reads the JSON lines that a step's program prints on the simulated GPU with --calls and
 * --addresses.
 */
#ifndef TOOLS_DRAW_LOG_H
#define TOOLS_DRAW_LOG_H

#include <stdio.h>

enum { LOG_LANES = 32 };

/** A launch, a record or a wait, in the order in which the program asked for them. */
struct log_call {
    char call[16]; /**< "launch", "record" or "wait"; the other fields are a launch's */
    char kernel[64];
    int launch, grid[3], block[3];
};

/** One instruction of a half-warp (or warp). */
struct log_request {
    char space[16], op[16]; /**< "global", "shared" or "texture"; "load", "store" or "fetch" */
    char array[32];         /**< of shared memory */
    char kernel[64];
    int launch, line, site, occurrence, size, lanes;
    struct {
        int lane, allocation;
        long offset; /**< in bytes, from the allocation's or the array's beginning */
    } of[LOG_LANES];
};

struct log {
    struct log_call *calls;
    struct log_request *requests;
    int call_count, request_count;
};

/** Reads all lines of a file; ends the program where memory or the log runs out. */
struct log log_read(FILE *file);
void log_free(struct log *log);

/** Ends the program with a message: the picture cannot be drawn from this log. */
void log_fail(const char *what);

#endif
