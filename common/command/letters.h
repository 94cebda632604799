/* SPDX-License-Identifier: MIT */
/** @file letters.h
 * How far a word is from one that was meant.
 */
#ifndef COMMON_COMMAND_LETTERS_H
#define COMMON_COMMAND_LETTERS_H

/** How many letters must be changed, removed, added or swapped with the next to turn one word
 * into another (optimal string alignment).
 * @param x a word; its capitals count as small letters
 * @param y the other word
 * @return how many; 32 if one of them is longer than that */
int letters_between(const char *x, const char *y);

#endif
