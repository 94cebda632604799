/* SPDX-License-Identifier: MIT */
/** @file host.h
 * Facts about the computer a program runs on.
 */
#ifndef COMMON_DEVICE_HOST_H
#define COMMON_DEVICE_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The processor's model name.
 * @return as the system names it; it lives as long as the program
 */
const char *host_processor(void);

/**
 * How many processors the system lets this program use: a container, or taskset, may leave it
 * fewer than there are.
 * @return 1 or more
 */
int host_processors(void);

/** Where $OMP_NUM_THREADS asks for more threads than OpenMP can start: as many as there are
 * processors. */
void host_limit_threads(void);

/** From now on memory that is freed stays with the program, for its next blocks: the system
 * hands out memory page by page, and for hundreds of megabytes that takes longer than a GPU
 * takes for the product. */
void host_keep_memory(void);

/**
 * Bytes of memory that can be had without swapping.
 * @return bytes; where the system does not say it, all that is built in, or 1 GiB
 */
size_t host_memory_available(void);

/**
 * Bytes of the data or unified cache of level 1, 2 or 3 of one core; a usual
 * size if unknown.
 * @param level 1, 2 or 3
 * @return bytes
 */
size_t host_cache_bytes(int level);

/**
 * Where results that a later run reads again are kept (made on first use): a path ending in
 * '/', from $LADDER_CACHE, $XDG_CACHE_HOME/strassen-ladder or ~/.cache/strassen-ladder; NULL if
 * none can be made.
 * @return a path that lives as long as the program; NULL: no folder can be made
 */
const char *host_cache_folder(void);

/**
 * A size in bytes as people write it: "1.50 GiB". Two may be used in one call of printf.
 * @param bytes 0 or more
 * @return a text that the call after the next overwrites
 */
const char *readable_bytes(double bytes);

/**
 * 64 random bits that no program can foresee.
 * @return the bits
 */
uint64_t host_secret(void);

#ifdef __cplusplus
}
#endif
#endif
