/**
 * @file device.h
 * Products of matrices that lie in host memory, on a device that cannot hold them.
 */
#ifndef LADDER_DEVICE_H
#define LADDER_DEVICE_H

#include "plan.h"

struct device;

/** Takes `bytes` of the device's memory for tiles. NULL: that is too few for any tile, or they are not
 *  there; `need` then says how many bytes the smallest takes. */
struct device *device_open(double bytes, double *need);
void device_close(struct device *device);

/** C = A * B, or C + A * B, tile by tile: while one pair of tiles is multiplied, the next one is copied. */
void device_multiply(struct device *device, const struct world *world, struct product product);

/** Bytes that it has copied to the device and back since it was opened. */
double device_bytes_moved(const struct device *device);

#endif
