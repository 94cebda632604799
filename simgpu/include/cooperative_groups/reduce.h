/** @file cooperative_groups/reduce.h
 *  reduce(), plus, less and greater are in cooperative_groups.h here. */
#include "../cooperative_groups.h"
