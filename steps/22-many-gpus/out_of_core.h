/* SPDX-License-Identifier: MIT */
/** @file out_of_core.h
 * Products of matrices that lie in host memory, on a device that cannot hold them.
 */
#ifndef STEPS_22_MANY_GPUS_OUT_OF_CORE_H
#define STEPS_22_MANY_GPUS_OUT_OF_CORE_H

#include "place.h"

struct out_of_core;

/** Takes `bytes` of the device's memory for tiles. NULL: that is too few for any tile, or they
 * are not there; `need` then says how many bytes the smallest takes. */
struct out_of_core *out_of_core_open(double bytes, double *need);
void out_of_core_close(struct out_of_core *device);

/** C = A * B, or C + A * B, tile by tile: while one pair of tiles is multiplied, the next one
 * is copied. */
void out_of_core_multiply(struct out_of_core *device, const struct context *leaf,
                          struct product product);

/** Until out_of_core_give() all products add to `c`: so many of them, which together have k.
 * Then C stays on the device, if it fits beside smaller tiles and these move fewer words, and
 * comes back at the end only. It begins with what the first of the products makes. Without a
 * device, or where C does not stay, both do nothing. */
void out_of_core_keep(struct out_of_core *device, struct block c, long k, long products);
void out_of_core_give(struct out_of_core *device);

/** Elements copied to the device and back since out_of_core_forget(). */
struct copied_words {
    double there, back;
};
struct copied_words copied_words(const struct out_of_core *device);
void out_of_core_forget(struct out_of_core *device);

#endif
