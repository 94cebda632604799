/* SPDX-License-Identifier: MIT */
#include "common/device/caller.h"

#include <stdlib.h>

static void *allocate(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

struct caller caller = {.allocate = allocate, .release = free};
