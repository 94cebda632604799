/* SPDX-License-Identifier: MIT */
/** @file occupancy.h
 * How many multiprocessors the device has, and how many blocks fit on them.
 */
#ifndef SIMGPU_SRC_OCCUPANCY_H
#define SIMGPU_SRC_OCCUPANCY_H

#include "base.h"

namespace simgpu
{

/** The device's multiprocessors. A program that can launch cooperatively has few of them, so
 * that the simulator can hold as many blocks at the same time as the device promises. */
int multiprocessors();
/** What is wrong with the size of a cooperative launch, or ""; sets the advice. */
std::string too_many_blocks(const simgpu_launch_desc &d, const char **advice);

} // namespace simgpu

#endif
