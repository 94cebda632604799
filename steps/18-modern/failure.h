/**
 * @file failure.h
 * How a failed CUDA or cuBLAS call is kept by a program that wants to go on.
 */
#ifndef STEPS_18_MODERN_FAILURE_H
#define STEPS_18_MODERN_FAILURE_H

/** The first call that failed. */
struct failure {
    int status; /**< 0: none; otherwise one of these */
    char message[256];
};

enum { FAILURE_CUDA = -1, FAILURE_CUBLAS = -2 };

#endif
