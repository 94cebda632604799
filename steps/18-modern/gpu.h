/* SPDX-License-Identifier: MIT */
/** @file gpu.h
 * What all contexts of a program, or of a handle of the library, have in common on a GPU.
 */
#ifndef STEPS_18_MODERN_GPU_H
#define STEPS_18_MODERN_GPU_H

#include <cublas_v2.h>

/** The first call that failed. */
struct failure {
    int status; /**< 0: no call has failed; otherwise one of these */
    char message[256];
};

enum { FAILURE_CUDA = -1, FAILURE_CUBLAS = -2 };

/** The blocks of a kernel of sums during multiplications, in step 19's table of settings. */
enum { SET_BESIDE };

/// [gpu]
struct gpu {
    cublasHandle_t cublas;   /**< see enter_cublas() */
    struct lanes *lanes;     /**< streams in addition to the main one */
    struct failure *failure; /**< where failures are noted; NULL: they end the program */
    /** Notes a failure, or ends the program. */
    void (*failed)(const struct gpu *gpu, int kind, const char *call, const char *file,
                   int line, int code);
    long sum_blocks;   /**< most blocks of a kernel of sums; 0: one for each tile */
    cudaStream_t home; /**< the stream of the cuBLAS handle between its calls */
    int multiprocessors;
    int capability; /**< compute capability, times 10 */
    int before;     /**< the thread's last CUDA error before a call of the library; 0: none */
};
/// [gpu]

#endif
