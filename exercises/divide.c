/* SPDX-License-Identifier: MIT */
#include "exercises/divide.h"

#include <math.h>
#include <stdlib.h>

#include "common/device/backend.h"

extern int simgpu_is_written(const void *device, size_t bytes) __attribute__((weak));

void divide_on_the_host(void *at, int size, long ld, long rows, long cols, double divisor)
{
    size_t bytes = (size_t)cols * (size_t)size;
    double *row = malloc(bytes);
    for (long i = 0; i < rows && row; i++) {
        char *place = (char *)at + (size_t)(i * ld) * (size_t)size;
        if (simgpu_is_written && !simgpu_is_written(place, bytes))
            continue;
        backend.download(row, place, bytes);
        for (long j = 0; j < cols; j++) {
            float *narrow = (float *)row + j;
            if (size == sizeof *narrow && !isnan(*narrow)) /* a NaN names who wrote it */
                *narrow = (float)(*narrow / divisor);
            else if (size == sizeof *row && !isnan(row[j]))
                row[j] /= divisor;
        }
        backend.upload(place, row, bytes);
    }
    free(row);
}
