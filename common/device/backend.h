/* SPDX-License-Identifier: MIT */
/** @file backend.h
 * The device on which a step computes: this computer's processor, a GPU, or the simulated GPU.
 * Every program links exactly one of them.
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

/** The transactions, bytes, texels and bank conflicts of a counted run; negative if not
 * counted.
 */
struct counts {
    double transactions, volume;
    double texture_fetches, texture_bytes;
    double conflicts; /**< additional passes through the banks of shared memory */
};

/** The GPU whose rules the simulated GPU counts by. */
enum gpu_rules { GPU_C1060, GPU_MODERN, GPU_RULES };

/** The settings of a counting run on the simulated GPU. */
struct counting {
    enum gpu_rules rules;
    long shuffle;          /**< 0: blocks and threads in order */
    bool report;           /**< print the accesses of every source line */
    const char *addresses; /**< FILE:LINE whose addresses are printed, "all", or NULL */
    const char *picture;   /**< FILE:LINE that is drawn, or NULL */
    bool calls;            /**< print each launch and each wait of a stream */
};

/** A place to compute. A call that fails, other than for lack of memory, ends the program. */
struct backend {
    const char *name; /**< "cpu", "sim" or "cuda" */
    bool simulated;
    bool shares_host_memory; /**< device pointers are host pointers: nothing is copied */
    bool processor_time;     /**< a worker's calls count processor time, not the clock's */
    long guard_cells;        /**< least number of guard cells on each side of a matrix */

    /** Returns why the device cannot be used, or NULL. */
    const char *(*missing)(void);
    /** The device's name, for reports. */
    const char *(*device)(void);
    /** Bytes of device memory free now. */
    size_t (*memory_free)(void);
    void *(*allocate)(size_t bytes); /**< returns NULL without enough memory */
    void (*release)(void *block);
    /** A real GPU only, NULL elsewhere: pins host memory until unpin(), so that copies from and
     * to it run at the bus's speed. If pinning fails, copies are slower. */
    void (*pin)(void *host, size_t bytes);
    void (*unpin)(void *host);
    void (*upload)(void *device, const void *host, size_t bytes);
    void (*download)(void *host, const void *device, size_t bytes);
    /** Copies `rows` rows of `width` bytes within the device; pitches in bytes. */
    void (*copy_2d)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                    size_t width, size_t rows);
    /** Sets every byte of a device block. */
    void (*fill)(void *block, int byte, size_t bytes);
    /** Fills device memory with bytes 0xff, which are NaN in float and double. The simulated
     * GPU then treats it as memory that was never written. */
    void (*poison)(void *block, size_t bytes);
    /** start() and stop() enclose the measured part of a run. stop() waits for all work between
     * them and returns its milliseconds by the device's clock. When the simulated GPU counts,
     * it counts the accesses between them. A variant whose document leaves a part out of its
     * times, such as a change of layout, calls both around the rest and sets own_clock in
     * struct variant. The last start() and the first stop() after it apply; later calls of
     * stop() return the same result. */
    void (*start)(void);
    double (*stop)(void);
    /** How often start() and stop() were called: shows whether a variant called them. */
    long (*clock_calls)(void);
    /** The name of the vendor's library on this device (OpenBLAS, cuBLAS), or NULL. */
    const char *(*vendor)(int threads);
    /** The product by that library, on device pointers. */
    void (*vendor_multiply)(enum precision precision, struct product p);
    /** A real GPU only, NULL elsewhere: computes the reference product in double from device
     * pointers to A and B (float or double; C's pointer is ignored) into contiguous host
     * memory, m x n. Returns false without enough memory. */
    bool (*product_in_double)(enum precision precision, struct product p, double *to);
    /** Simulated GPU only, NULL elsewhere: counts the accesses of kernels from the counting
     * build between the two calls, or only in the measured part if there is one. */
    void (*count_start)(const struct counting *counting);
    struct counts (*count_stop)(void);
    /** Simulated GPU only: the message of the first fault since the last call, or NULL. */
    const char *(*fault)(void);
    /** Simulated GPU only: the last launch in words, or NULL. */
    const char *(*last_launch)(void);
    /** Simulated GPU only, NULL elsewhere: calls run(what). Returns false if a fault ended the
     * call early; the device then works again. */
    bool (*attempt)(void (*run)(void *what), void *what);
    /** Simulated GPU only: prints the report of the last count: the accesses of each line to
     * `out`, the addresses to standard output, as the settings say. Returns whether there were
     * addresses, or a picture. */
    bool (*report)(const struct counting *counting, FILE *out);
    /** Simulated GPU only: called after all memory was freed; returns the number of faults
     * found in the whole run. */
    int (*finish)(void);
};

/** Of every program; only the lab changes it, before it checks (tools/lab/program/device.h): a
 * step cannot put a clock of its own here. */
extern const struct backend backend;

#ifdef __cplusplus
}
#endif
#endif
