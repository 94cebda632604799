/* SPDX-License-Identifier: MIT */
/** @file tensor_rungs.h
 * --rungs: every rung on a GPU, compared with cublasSgemm, with errors against a product in
 * double;
 * and --accumulator.
 */
#ifndef STEPS_21_TENSOR_CORES_TENSOR_RUNGS_H
#define STEPS_21_TENSOR_CORES_TENSOR_RUNGS_H

struct options;

/** Measures square products of 2048 to 32768, or those that --n, --m and --k give. Returns the
 * exit status: 3 without times or memory, 1 if a product came out differently when it was
 * repeated. */
int measure_tensor_rungs(const struct options *options);

/** Shows how many bits of an addend a tensor core keeps, below the 24 of the largest one:
 * accumulator.cu. Returns the exit status: 1 if the simulated GPU follows another rule. */
int measure_accumulator(const struct options *options);

#endif
