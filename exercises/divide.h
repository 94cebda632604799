/* SPDX-License-Identifier: MIT */
/** @file divide.h
 * For exercises/counted.cuh, which may not copy from the device itself.
 */
#ifndef EXERCISES_DIVIDE_H
#define EXERCISES_DIVIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Divides a block in device memory, which counts as no transaction.
 * @param at its first element
 * @param size of an element: that of float or double
 * @param ld elements from row to row
 * @param rows of the block
 * @param cols of the block
 * @param divisor not 0 */
void divide_on_the_host(void *at, int size, long ld, long rows, long cols, double divisor);

#ifdef __cplusplus
}
#endif

#endif
