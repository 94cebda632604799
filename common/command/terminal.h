/* SPDX-License-Identifier: MIT */
/** @file terminal.h
 * What a terminal can show.
 */
#ifndef COMMON_COMMAND_TERMINAL_H
#define COMMON_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How many columns the terminal behind a file has; 0: it is none, or does not say.
 * @param file standard output or standard error
 * @return columns
 */
int terminal_columns(FILE *file);

/**
 * True for a terminal on which a line can be written over: not with TERM=dumb, or without
 * TERM.
 * @param file standard output or standard error
 * @return whether a line can be written over
 */
bool terminal_is_live(FILE *file);

#ifdef __cplusplus
}
#endif
#endif
