/**
 * @file backend.h
 * Where a step computes: this computer's processor, a GPU, or the simulated GPU. Every program
 * links exactly one of them.
 */
#ifndef LADDER_BACKEND_H
#define LADDER_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix.h"
#include "step.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Transactions and bytes a counted run moved; negative: not counted. */
struct counts {
    double transactions, volume;
};

/** A place to compute. Calls that fail for a reason other than memory end the program. */
struct backend {
    const char *name; /**< "cpu", "sim" or "cuda" */
    bool simulated;
    bool shares_host_memory; /**< device pointers are host pointers: nothing is copied */
    long guard_cells;        /**< guard cells on each side of a matrix */

    /** NULL when the device is there, otherwise why it is not. */
    const char *(*missing)(void);
    /** The device's name, for reports. */
    const char *(*device)(void);
    /** Bytes of device memory free now. */
    size_t (*memory_free)(void);
    void *(*allocate)(size_t bytes); /**< NULL when there is not enough */
    void (*release)(void *block);
    void (*upload)(void *device, const void *host, size_t bytes);
    void (*download)(void *host, const void *device, size_t bytes);
    /** Fills device memory with bytes 0xff: NaN in float and double. */
    void (*poison)(void *block, size_t bytes);
    /** Device-clock milliseconds of all work between start() and stop(), to its end. */
    void (*start)(void);
    double (*stop)(void);
    /** The vendor's library on this device (OpenBLAS, cuBLAS): NULL when there is none. */
    const char *(*vendor)(int threads);
    /** C = A * B by that library, on device pointers; sizes and layout as in the problem. */
    void (*vendor_multiply)(enum precision precision, const struct problem *problem);
    /** Simulated GPU only, NULL elsewhere: counts the accesses of kernels from the counting build
     *  between the two calls. */
    void (*count_start)(const struct options *options);
    struct counts (*count_stop)(void);
    /** Simulated GPU only: prints what was asked for by --report and --addresses; the number of
     *  faults found. */
    int (*finish)(const struct options *options);
};

extern const struct backend backend;

#ifdef __cplusplus
}
#endif
#endif
