/* SPDX-License-Identifier: MIT */
/** @file vtables.h
 * Objects with virtual functions that the host has made and copied to the device. Their tables
 * of functions are in the host's memory, where a kernel that calls such a function cannot read.
 */
#ifndef SIMGPU_SRC_VTABLES_H
#define SIMGPU_SRC_VTABLES_H

#include "base.h"

namespace simgpu
{

/** Looks for such objects in what the host has copied to the arena. */
void find_host_objects(const void *to, size_t bytes);
/** While a kernel runs, the pointers of these objects to their tables lead nowhere. */
void hide_host_tables();
void show_host_tables();
/** Is it an address in such a table, as a kernel sees it? In a web page: of such an object. */
bool in_host_table(uintptr_t address);
/** In a web page: a kernel makes an object here. */
void forget_host_object(const void *object);
extern const char *const host_table_advice;

} // namespace simgpu

#endif
