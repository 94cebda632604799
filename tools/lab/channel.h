/* SPDX-License-Identifier: MIT */
/** @file channel.h
 * How an exercise's program tells the lab what it found, on a descriptor of its own.
 *
 * The lab writes a nonce into the channel. The program reads it before anything of the
 * learner's is called, and answers with lines "name value" between two lines that hold the
 * nonce. An answer without both of them counts as none: an exit status, or what is printed,
 * says nothing.
 */
#ifndef TOOLS_LAB_CHANNEL_H
#define TOOLS_LAB_CHANNEL_H

enum { CHANNEL_DESCRIPTOR = 3, NONCE = 32 };

/** The environment variable that is set when there is a channel. */
#define CHANNEL_VARIABLE "LADDER_LAB_CHANNEL"

/** The one that is set where matrices are to be shown in place of being judged (show.h). */
#define SHOW_VARIABLE "LADDER_LAB_SHOW"

/** The one that is set where the learner's code gets a little stack only, because the workspace
 * is counted. */
#define STACK_VARIABLE "LADDER_LAB_STACK"
enum { LITTLE_STACK = 32 << 10, WHOLE_STACK = 1 << 20 };

#endif
