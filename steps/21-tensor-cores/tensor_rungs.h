/* SPDX-License-Identifier: MIT */
/** @file tensor_rungs.h
 * --rungs: every rung on a GPU, beside cublasSgemm, with errors against a product in double;
 * and
 * --accumulator.
 */
#ifndef STEPS_21_TENSOR_CORES_TENSOR_RUNGS_H
#define STEPS_21_TENSOR_CORES_TENSOR_RUNGS_H

struct options;

/** Measures square products of 2048 to 32768, or those that --n, --m and --k give. Returns the
 * exit status: 3 where there are no times or no memory, 1 when a product came out differently
 * again. */
int measure_tensor_rungs(const struct options *options);

/** Shows how many bits of an addend a tensor core keeps, below the 24 of the largest one:
 * accumulator.cu. Returns the exit status: 1 where the simulated GPU's rule is another one. */
int measure_accumulator(const struct options *options);

#endif
