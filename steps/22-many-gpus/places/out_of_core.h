/* SPDX-License-Identifier: MIT */
/** @file out_of_core.h
 * Products of matrices in host memory on a device with too little memory for them.
 */
#ifndef STEPS_22_MANY_GPUS_PLACES_OUT_OF_CORE_H
#define STEPS_22_MANY_GPUS_PLACES_OUT_OF_CORE_H

#include "place.h"

struct out_of_core;

/** Takes `bytes` of the device's memory for tiles. Returns NULL if they hold no tile or cannot
 * be allocated; `need` is then the number of bytes that the smallest tiles take. */
struct out_of_core *out_of_core_open(double bytes, double *need);
void out_of_core_close(struct out_of_core *device);

/** C = A * B, or C + A * B, tile by tile: while one pair of tiles is multiplied, the next one
 * is copied. */
void out_of_core_multiply(struct out_of_core *device, const struct context *ctx,
                          struct product product);

/** Until out_of_core_give() all products add to C; there are `products` of them, with k inner
 * indices in all. C then stays on the device and comes back only at the end, if it fits
 * together with smaller tiles and that moves fewer words. The first product sets it. Without a
 * device, or if C does not stay, both functions do nothing. */
void out_of_core_keep(struct out_of_core *device, struct block C, long k, long products);
void out_of_core_give(struct out_of_core *device);

/** Elements copied to the device and back since out_of_core_forget(). */
struct copied_words {
    double there, back;
};
struct copied_words copied_words(const struct out_of_core *device);
void out_of_core_forget(struct out_of_core *device);

#endif
