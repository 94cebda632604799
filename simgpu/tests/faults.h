/* SPDX-License-Identifier: MIT */
/** @file faults.h
 * Programs with one planted fault each (faults.cu), as test_faults.c sees them.
 */
#ifndef SIMGPU_TESTS_FAULTS_H
#define SIMGPU_TESTS_FAULTS_H

#ifdef __cplusplus
extern "C" {
#endif

struct planted {
    const char *name;  /**< the line it must be reported for says "planted: NAME" */
    const char *fault; /**< the kind that must be reported, or "" for a correct program */
    int in_plain;      /**< the plain build finds it too */
    const char
        *error; /**< what cudaDeviceSynchronize or cudaGetLastError says afterwards, or "" */
    void (*run)(void);
};

/** End with an entry without a name. */
extern const struct planted faults_plain[], faults_traced[];

#ifdef __cplusplus
}
#endif
#endif
