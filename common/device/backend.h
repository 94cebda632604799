/* SPDX-License-Identifier: MIT */
/** @file backend.h
 * Where a step computes: this computer's processor, a GPU, or the simulated GPU. Every program
 * links exactly one of them.
 */
#ifndef COMMON_DEVICE_BACKEND_H
#define COMMON_DEVICE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/precision.h"
#include "common/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The transactions, bytes, texels and bank conflicts of a counted run; negative: not counted.
 */
struct counts {
    double transactions, volume;
    double texture_fetches, texture_bytes;
    double conflicts; /**< passes through the banks of shared memory beyond those without any */
};

/** The GPU by whose rules the simulated GPU counts. */
enum gpu_rules { GPU_C1060, GPU_MODERN, GPU_RULES };

/** What the simulated GPU should do when it counts. */
struct counting {
    enum gpu_rules rules;
    long shuffle;          /**< 0: blocks and threads in order */
    bool report;           /**< print the accesses of every source line */
    const char *addresses; /**< FILE:LINE whose addresses are printed, "all", or NULL */
    bool calls;            /**< print the launches, and what streams wait for */
};

/** A place to compute. A call that fails, other than for lack of memory, ends the program. */
struct backend {
    const char *name; /**< "cpu", "sim" or "cuda" */
    bool simulated;
    bool shares_host_memory; /**< device pointers are host pointers: nothing is copied */
    long guard_cells;        /**< fewest guard cells on each side of a matrix; 0: none */

    /** NULL if the device can be used, otherwise why not. */
    const char *(*missing)(void);
    /** The device's name, for reports. */
    const char *(*device)(void);
    /** Bytes of device memory free now. */
    size_t (*memory_free)(void);
    void *(*allocate)(size_t bytes); /**< NULL when there is not enough */
    void (*release)(void *block);
    /** A real GPU only, NULL elsewhere: host memory between these two calls keeps its place, so
     * that copies from it and to it run at the bus's speed. Where that is not to be had they
     * are slower. */
    void (*pin)(void *host, size_t bytes);
    void (*unpin)(void *host);
    void (*upload)(void *device, const void *host, size_t bytes);
    void (*download)(void *host, const void *device, size_t bytes);
    /** Copies `rows` rows of `width` bytes within the device; pitches in bytes. */
    void (*copy_2d)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                    size_t width, size_t rows);
    /** Sets every byte of a device block. */
    void (*fill)(void *block, int byte, size_t bytes);
    /** Fills device memory with bytes 0xff, which are NaN in float and double. From then on the
     *  simulated GPU treats it as memory that was never written. */
    void (*poison)(void *block, size_t bytes);
    /**
     * start() and stop() enclose the measured part of a run. stop() waits for all work between
     * the two and returns its milliseconds by the device's clock; while the simulated GPU
     * counts, it counts the accesses in between. A variant whose document leaves a part out of
     * its times, such as a change of layout, calls both around the rest and sets own_clock in
     * struct variant. The last start() counts, and the first stop() after it; later calls of
     * stop() return the same result.
     */
    void (*start)(void);
    double (*stop)(void);
    /** How often start() and stop() were called, which shows whether a variant called them. */
    long (*clock_calls)(void);
    /** The vendor's library on this device (OpenBLAS, cuBLAS): NULL when there is none. */
    const char *(*vendor)(int threads);
    /** The product by that library, on device pointers. */
    void (*vendor_multiply)(enum precision precision, struct product p);
    /** A real GPU only, NULL elsewhere: that product in double, of device pointers to A and B
     * (float or double; C has a size alone), into host memory, m x n without gaps. False when
     * memory is not enough. */
    bool (*product_in_double)(enum precision precision, struct product p, double *to);
    /** Simulated GPU only, NULL elsewhere: counts the accesses of kernels from the counting
     * build between the two calls, or only in the measured part between them if
     * there is one. */
    void (*count_start)(const struct counting *counting);
    struct counts (*count_stop)(void);
    /** Simulated GPU only: the message of the first fault since the last call, or NULL. */
    const char *(*fault)(void);
    /** Simulated GPU only: the last launch in words, or NULL. */
    const char *(*last_launch)(void);
    /** Simulated GPU only, NULL elsewhere: calls run(what). Returns false if a fault stopped
     * the device: the call was left where it failed, and the device works again. */
    bool (*attempt)(void (*run)(void *what), void *what);
    /** Simulated GPU only: prints what was asked for about the last count: the accesses of each
     * line to `out`, the addresses to standard output. */
    void (*report)(const struct counting *counting, FILE *out);
    /** Simulated GPU only: called after all memory was freed; returns the number of faults
     * found in the whole run. */
    int (*finish)(void);
};

extern const struct backend backend;

#ifdef __cplusplus
}
#endif
#endif
