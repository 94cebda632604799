/** @file cooperative_groups/memcpy_async.h
 *  Not simulated: cooperative_groups.h says so where memcpy_async is used. */
#include "../cooperative_groups.h"
