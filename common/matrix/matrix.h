/* SPDX-License-Identifier: MIT */
/** @file matrix.h
 * Row-major matrices with a leading dimension, guard cells around them, and a place on the
 * device.
 */
#ifndef COMMON_MATRIX_MATRIX_H
#define COMMON_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/precision.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A rows x cols matrix. Element (i, j) is host[i * ld + j]. Guard cells stand before the first
 * row, after the last one, and in the ld - cols cells at the end of each row. Before and after
 * the matrix there is more than a row of them.
 */
struct matrix {
    enum precision precision;
    long rows, cols, ld;
    void *host;   /**< element (0, 0) in host memory */
    void *device; /**< element (0, 0) where the step computes; equals host for CPU steps */
    void *host_block, *device_block; /**< what was allocated, guard cells included */
    size_t bytes;                    /**< size of a block */
};

/**
 * Bytes that matrix_create() will take on the host.
 * @param precision of the elements
 * @param rows 1 or more
 * @param cols 1 or more
 * @param ld elements from one row to the next, at least cols
 * @return bytes, guard cells included
 */
size_t matrix_bytes(enum precision precision, long rows, long cols, long ld);

/**
 * Allocates host and device memory and fills all of it with guard cells. false: not enough
 * memory.
 * @param matrix overwritten, whatever is in it
 * @param precision of the elements
 * @param rows 1 or more
 * @param cols 1 or more
 * @param ld elements from one row to the next, at least cols
 * @return false: not enough memory on the host or the device; matrix_destroy() is right all
 *   the same
 */
bool matrix_create(struct matrix *matrix, enum precision precision, long rows, long cols,
                   long ld);

/**
 * Frees both blocks.
 * @param matrix created, or all zeros
 */
void matrix_destroy(struct matrix *matrix);

/**
 * Element (i, j) of the host copy as a double (exact for all three types).
 * @param matrix created
 * @param i row, from 0
 * @param j column, from 0
 * @return the element
 */
double matrix_get(const struct matrix *matrix, long i, long j);

/**
 * Sets element (i, j) of the host copy, rounded to the matrix's precision.
 * @param matrix created
 * @param i row, from 0
 * @param j column, from 0
 * @param value any number
 */
void matrix_set(struct matrix *matrix, long i, long j, double value);

/**
 * Fills the elements of the host copy with NaN (the smallest int for integers).
 * @param matrix created; its guard cells stay
 */
void matrix_poison(struct matrix *matrix);

/**
 * Copies a row of the host copy, as doubles.
 * @param matrix created
 * @param i row, from 0
 * @param row gets an element for each column
 */
void matrix_get_row(const struct matrix *matrix, long i, double *row);

/**
 * A hash of the elements of the host copy, without the guard cells.
 * @param matrix created
 * @return equal for equal bits
 */
uint64_t matrix_elements_hash(const struct matrix *matrix);

/**
 * Copies the whole block, guard cells included, between host and device.
 * @param matrix created; nothing is done where both are one
 */
void matrix_upload(const struct matrix *matrix);
/**
 * The other way.
 * @param matrix created; nothing is done where both are one
 */
void matrix_download(struct matrix *matrix);

/**
 * Writes guard cells that will stand at `address`: each a NaN of its own (for integers a large
 * negative number), so that neither a copy of another guard nor arithmetic on it goes unseen.
 * @param precision of the cells
 * @param cells host memory, filled
 * @param count of the cells
 * @param address of the first, in bytes, where they will stand; their contents follow from it
 */
void guards_write(enum precision precision, void *cells, size_t count, uintptr_t address);

/**
 * True if the cells are as guards_write() left them; otherwise *at is the first one that
 * changed.
 * @param precision of the cells
 * @param cells host memory
 * @param count of the cells
 * @param address as they were written with, in bytes
 * @param at the number of the first one that changed, from 0
 * @return whether none has changed
 */
bool guards_hold(enum precision precision, const void *cells, size_t count, uintptr_t address,
                 size_t *at);

/**
 * True if no guard cell of the host copy was written; otherwise `where` says which one was.
 * @param matrix its host copy, downloaded before
 * @param where text, when one was written
 * @param where_size bytes of `where`
 * @return whether all are as matrix_create() left them
 */
bool matrix_guards_intact(const struct matrix *matrix, char *where, size_t where_size);

/**
 * A hash of every byte of the host block: equal hashes before and after mean "unchanged".
 * @param matrix its host copy
 * @return equal for equal bytes
 */
uint64_t matrix_hash(const struct matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
