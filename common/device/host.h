/* SPDX-License-Identifier: MIT */
/** @file host.h
 * Facts about the computer and the terminal that a program runs on.
 */
#ifndef COMMON_DEVICE_HOST_H
#define COMMON_DEVICE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The processor's model name.
 * @return the system's name for it, valid until the program ends */
const char *host_processor(void);

/** Reads a value from a file in which each line begins with a name, such as those of /proc.
 * @param value gets what follows the name, cut to its size; "" if there is no such line
 * @param size bytes of `value`
 * @param name of the value; "": the first line is the value
 * @param path of the file, as printf's format
 * @return whether there is a value */
bool host_read(char *value, size_t size, const char *name, const char *path, ...)
    __attribute__((format(printf, 4, 5)));

/** How many processors the system lets this program use: a container, or taskset, may leave it
 * fewer than there are.
 * @return 1 or more */
int host_processors(void);

/** Waits, for at most a second, until the threads of a process sleep, all but its first one.
 * Call it before each timed run on the host: threads of OpenBLAS and OpenMP spin for up to a
 * tenth of a second after their work, and take cores away from the code that runs next.
 * @param process its number; 0: this one
 * @return whether they sleep */
bool let_threads_sleep(int process);

/** Bytes of memory that can be allocated without swapping.
 * @return bytes; if the system does not report them, the total memory, or 1 GiB */
size_t host_memory_available(void);

/** A size in bytes as people write it: "1.50 GiB". Two may be used in one call of printf.
 * @param bytes 0 or more
 * @return a text, overwritten by the second call after this one */
const char *readable_bytes(double bytes);

/** Prints a message in lines of at most 100 columns. A longer one is broken at blanks, after a
 * sentence if one ends in its second half. What follows is indented by four columns, or goes
 * below the last column of a table.
 * @param file where to
 * @param format as printf's; the last line ends with a newline even if the text does not */
void say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints a message as say() does, in other lines.
 * @param file where to
 * @param columns the longest line; 0: 100
 * @param format as say()'s */
void say_within(FILE *file, int columns, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The width of the terminal that a stream goes to.
 * @param file standard output or standard error
 * @return columns; 0 if it is no terminal or its width is unknown */
int terminal_columns(FILE *file);

/** Whether a line on this terminal can be overwritten: not with TERM=dumb, or without TERM.
 * @param file standard output or standard error
 * @return whether a line can be overwritten */
static inline bool terminal_is_live(FILE *file)
{
    const char *terminal = getenv("TERM");
    return isatty(fileno(file)) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

#ifdef __cplusplus
}
#endif
#endif
