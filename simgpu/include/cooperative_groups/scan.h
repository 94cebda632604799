/** @file cooperative_groups/scan.h
 *  inclusive_scan() and exclusive_scan() are in cooperative_groups.h here. */
#include "../cooperative_groups.h"
