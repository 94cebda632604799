/* SPDX-License-Identifier: MIT */
/** @file host_code.h
 * Functions of the host that device functions call, which nvcc refuses.
 */
#ifndef SIMGPU_TOOLS_HOST_CODE_H
#define SIMGPU_TOOLS_HOST_CODE_H

#include <stdbool.h>
#include <stddef.h>

/** Notes the functions of a source, and what its device functions call. */
void find_host_calls(const char *path, const char *text, size_t length);
/** After all files: prints an error for each such call. False if there is none. */
bool tell_host_calls(void);

#endif
