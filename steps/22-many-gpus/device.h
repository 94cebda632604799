/**
 * @file device.h
 * Products of matrices that lie in host memory, on a device that cannot hold them.
 */
#ifndef STEPS_22_MANY_GPUS_DEVICE_H
#define STEPS_22_MANY_GPUS_DEVICE_H

#include "plan.h"

struct device;

/** Takes `bytes` of the device's memory for tiles. NULL: that is too few for any tile, or they
 * are not there; `need` then says how many bytes the smallest takes. */
struct device *device_open(double bytes, double *need);
void device_close(struct device *device);

/** C = A * B, or C + A * B, tile by tile: while one pair of tiles is multiplied, the next one
 * is copied. */
void device_multiply(struct device *device, const struct world *world, struct product product);

/** Until device_give() all products add to `c`: so many of them, which together have k. Then C
 * stays on the device, if it fits beside smaller tiles and these move fewer words, and comes
 * back at the end only. It begins with what the first of the products makes. Without a device,
 * or where C does not stay, both do nothing. */
void device_keep(struct device *device, struct block c, long k, long products);
void device_give(struct device *device);

/** Elements copied to the device and back since device_forget(). */
struct device_words {
    double there, back;
};
struct device_words device_words(const struct device *device);
void device_forget(struct device *device);

#endif
