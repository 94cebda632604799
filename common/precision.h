/* SPDX-License-Identifier: MIT */
/** @file precision.h
 * The element types that a step may be compiled for.
 */
#ifndef COMMON_PRECISION_H
#define COMMON_PRECISION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum precision { PRECISION_F32, PRECISION_F64, PRECISION_I32, PRECISIONS };
extern const char *const precision_names[PRECISIONS];

/** Bytes of one element.
 * @param precision f32, f64 or i32
 * @return bytes of one element, 4 or 8 */
size_t precision_bytes(enum precision precision);

/** Unit roundoff u (2^-24, 2^-53, 0 for integers): Higham, section 2.2.
 * @param precision f32, f64 or i32
 * @return u */
double precision_roundoff(enum precision precision);

#ifdef __cplusplus
}
#endif
#endif
