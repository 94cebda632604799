/* SPDX-License-Identifier: MIT */
/** @file seal.h
 * What an exercise's program gives up before the learner's code is called.
 */
#ifndef TOOLS_LAB_SEAL_H
#define TOOLS_LAB_SEAL_H

/**
 * From here on this process writes no file but in the folder where it runs, opens no connection
 * and, on the processor, starts no other program. What the kernel does not offer is left out
 * without a word. On a real GPU nothing is given up: its driver writes where it must.
 * @param backend "cpu", "sim" or "cuda"
 */
void seal(const char *backend);

#endif
