/* SPDX-License-Identifier: MIT */
/** @file channel.h
 * How an exercise's program reports to the lab what it found, on a separate descriptor, which
 * the process that runs the answer does not have: JSON objects, "| " before the lines of the
 * simulated GPU's report, and last "status N", its exit status. Nothing else counts.
 */
#ifndef TOOLS_LAB_PROGRAM_CHANNEL_H
#define TOOLS_LAB_PROGRAM_CHANNEL_H

enum { CHANNEL_DESCRIPTOR = 3 };

/** The environment variable that is set when there is a channel. */
#define CHANNEL_VARIABLE "LADDER_LAB_CHANNEL"

/** Set if matrices are to be shown instead of being checked (show.h). */
#define SHOW_VARIABLE "LADDER_LAB_SHOW"

#endif
