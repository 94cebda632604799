/* SPDX-License-Identifier: MIT */
/** @file check.h
 * What the tests in CUDA share: conditions that count failures, and arrays in device memory.
 */
#ifndef SIMGPU_TESTS_CHECK_H
#define SIMGPU_TESTS_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                     \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)
#define OK(call) CHECK((call) == cudaSuccess)

template <class T> struct device_array {
    T *p;
    size_t count;
    explicit device_array(size_t count) : count(count) { OK(cudaMalloc(&p, bytes())); }
    device_array(const T *host, size_t count) : device_array(count)
    {
        OK(cudaMemcpy(p, host, bytes(), cudaMemcpyHostToDevice));
    }
    device_array(const device_array &) = delete;
    ~device_array() { OK(cudaFree(p)); }
    size_t bytes() const { return count * sizeof(T); }
    operator T *() const { return p; }
    void download(T *host) const { OK(cudaMemcpy(host, p, bytes(), cudaMemcpyDeviceToHost)); }
};

#endif
