/* SPDX-License-Identifier: MIT */
/** @file seal.h
 * Takes rights from a program that a learner had a hand in: access to files before it starts,
 * system calls before the learner's code runs. Both work for root and for everybody else, and
 * last until the process and all that it starts have ended.
 */
#ifndef TOOLS_LAB_PROCESS_SEAL_H
#define TOOLS_LAB_PROCESS_SEAL_H

#include <stdbool.h>

/** From here on only what is in the `readable` places can be read or started (a list that ends
 * with NULL), and only what is in the folder `writable` can be changed (NULL: nothing).
 * @return false where the kernel has no Landlock */
bool seal_files(const char *const readable[], const char *writable);

/** From here on this process computes, and writes into what is open already. It opens no file,
 * asks for none, starts no other program, and reaches no other process.
 * @return false where the kernel has no seccomp, or the processor is one that we do not know */
bool seal_calls(void);

#endif
