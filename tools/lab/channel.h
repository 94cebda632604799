/* SPDX-License-Identifier: MIT */
/** @file channel.h
 * How an exercise's program reports to the lab what it found, on a separate descriptor.
 *
 * The lab writes a nonce into the channel. The program reads it before it calls any of the
 * learner's functions, and answers with lines "name value" between two lines that hold the
 * nonce. An answer without both of them does not count, whatever the exit status or the output
 * says.
 */
#ifndef TOOLS_LAB_CHANNEL_H
#define TOOLS_LAB_CHANNEL_H

enum { CHANNEL_DESCRIPTOR = 3, NONCE = 32 };

/** The environment variable that is set when there is a channel. */
#define CHANNEL_VARIABLE "LADDER_LAB_CHANNEL"

/** Set if matrices are to be shown instead of being checked (show.h). */
#define SHOW_VARIABLE "LADDER_LAB_SHOW"

#endif
