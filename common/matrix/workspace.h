/* SPDX-License-Identifier: MIT */
/** @file workspace.h
 * The workspace that the runner hands to a variant: filled with NaN, guard cells
 * on both sides. */
#ifndef COMMON_MATRIX_WORKSPACE_H
#define COMMON_MATRIX_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/precision.h"

#ifdef __cplusplus
extern "C" {
#endif

struct workspace {
    enum precision precision;
    size_t bytes; /**< what the variant asked for */
    void *start;  /**< where it begins on the device, NULL: nothing was asked for */
    void *block;  /**< what was allocated, guard cells included */
};

/**
 * Allocates and fills it. false: there was not enough memory.
 * @param workspace overwritten, whatever is in it
 * @param precision of its elements
 * @param bytes that a variant asks for; 0: none
 * @return false: not enough device memory
 */
bool workspace_create(struct workspace *workspace, enum precision precision, size_t bytes);

/**
 * Fills all but the guard cells with NaN again.
 * @param workspace created
 */
void workspace_poison(const struct workspace *workspace);

/**
 * True if no guard cell was written; otherwise `where` says which one was.
 * @param workspace created
 * @param where text, when one was written
 * @param where_size bytes of `where`
 * @return whether all are as workspace_create() left them
 */
bool workspace_guards_intact(const struct workspace *workspace, char *where, size_t where_size);

/**
 * Frees it. A structure of zeros, which was never created, is allowed.
 * @param workspace created, or all zeros
 */
void workspace_destroy(struct workspace *workspace);

#ifdef __cplusplus
}
#endif
#endif
