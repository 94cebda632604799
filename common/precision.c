/* SPDX-License-Identifier: MIT */
#include "common/precision.h"

const char *const precision_names[PRECISIONS] = {"f32", "f64", "i32"};

size_t precision_bytes(enum precision precision) { return precision == PRECISION_F64 ? 8 : 4; }

double precision_roundoff(enum precision precision)
{
    return precision == PRECISION_F32 ? 0x1p-24 : precision == PRECISION_F64 ? 0x1p-53 : 0;
}
