/* SPDX-License-Identifier: MIT */
/** @file workspace.h
 * The workspace that the runner gives to a variant: filled with NaN, with guard cells on both
 * sides. */
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
    size_t bytes; /**< that the variant needs */
    void *start;  /**< where it begins on the device; NULL if bytes is 0 */
    void *block;  /**< the allocated block, with guard cells */
};

/**
 * Allocates and fills it.
 * @param workspace overwritten
 * @param precision of its elements
 * @param bytes that the variant needs, or 0
 * @return false without enough device memory
 */
bool workspace_create(struct workspace *workspace, enum precision precision, size_t bytes);

/**
 * Fills everything except the guard cells with NaN again.
 * @param workspace created
 */
void workspace_poison(const struct workspace *workspace);

/**
 * Whether no guard cell was written.
 * @param workspace created
 * @param where gets a text about the first cell that was written
 * @param where_size bytes of `where`
 * @return true if all are as workspace_create() wrote them
 */
bool workspace_guards_intact(const struct workspace *workspace, char *where, size_t where_size);

/**
 * Frees it.
 * @param workspace created, or all zeros
 */
void workspace_destroy(struct workspace *workspace);

#ifdef __cplusplus
}
#endif
#endif
