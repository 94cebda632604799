/* SPDX-License-Identifier: MIT */
/** @file realpath.c
 * For the rewriting tool in a web page: its files have no links, and WASI cannot follow any.
 */
#include <stdlib.h>
#include <string.h>

char *realpath(const char *path, char *out) { return strcpy(out, path); }
