/* SPDX-License-Identifier: MIT */
/** @file terminal.h
 * Properties of the terminal.
 */
#ifndef COMMON_COMMAND_TERMINAL_H
#define COMMON_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The width of the terminal that a file is connected to.
 * @param file standard output or standard error
 * @return columns; 0 if it is no terminal, or if its width is unknown
 */
int terminal_columns(FILE *file);

/**
 * Whether a line on this terminal can be overwritten: not with TERM=dumb, or without TERM.
 * @param file standard output or standard error
 * @return whether a line can be overwritten
 */
bool terminal_is_live(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
